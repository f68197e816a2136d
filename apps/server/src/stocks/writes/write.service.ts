import type { Address, Hex } from 'viem'
import type { Alongside, ConfirmedEffect } from '../../intents/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Effect } from '../../platform/chain/call-pair.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { relayed, unsigned } from '../built.ts'
import { abis } from '../contracts.ts'
import type { StocksParts } from '../parts.ts'
import { refuseField } from '../request-fields.ts'
import { explainStocks } from '../reverts.ts'
import { requireStock } from '../stocks.service.ts'
import { keepReason, type Stock } from '../stocks.store.ts'
import { gasLimitFor } from './gas-limit.rules.ts'
import { signerReads, signersOf } from './signers.reads.ts'
import type { Asked, Considered, Signing, StockWrite } from './write.ts'

/** Where a write came in. */
export interface WriteCall {
  readonly tenant: TenantDatabase
  readonly operationId: string
  /** The path that was called, with `{tokenAddress}` in it. */
  readonly mountedAt: string
  readonly tokenAddress: string
}

/** Both say who sends the transaction, and only one can. */
export function refuseBoth({ txHash, useRelayer }: Signing): void {
  if (txHash !== undefined && useRelayer)
    throw refuseField('useRelayer', 'cannot be given together with txHash: what has a hash was sent already')
}

/** The three ways of every write: to be signed, sent by the relayer, confirmed. */
export function createStockWrites({ clock, chains, intents, relayer }: StocksParts) {
  /** Who could sign, and what the write wants to know of the token: one round trip. */
  async function askToken<B>(chain: Chain, stock: Stock, write: StockWrite<B>) {
    const questions = write.state?.questions(stock) ?? []
    const roles = signerReads(stock, write.signer)
    const { block, results } = await chain.read([...questions, ...roles])
    const answers = results.slice(0, questions.length).map((one) => {
      if (!one.ok) throw new AppError('CHAIN_UNAVAILABLE')
      return one.value as bigint
    })
    const signers = signersOf(stock, write.signer, results.slice(questions.length) as never)
    return { block, answers, signers }
  }

  async function keepWords(tenant: TenantDatabase, { reason }: Asked): Promise<void> {
    if (reason === undefined || reason.words === null) return
    const { bytes32, words } = reason
    await tenant.apart((sql) => keepReason(sql, tenant.instanceId, bytes32, words, clock.now()))
  }

  async function build<B extends Signing>(call: WriteCall, stock: Stock, write: StockWrite<B>, body: B) {
    const { tenant } = call
    const asked = write.ask(body, stock)
    const chain = chains.get(stock.chainId)
    const relayerAddress = body.useRelayer ? await relayer.addressOf(tenant, stock.chainId) : null
    const { block, answers, signers } = await askToken(chain, stock, write)
    const considered = write.state?.consider(answers, asked, stock) ?? nothingMore
    const intent = { chain, pair: write.pair, target: stock.tokenAddress, kind: 'stock' }
    const built = await intents.build(intent, asked.args, relayerAddress ?? signers.simulateFrom, explainStocks)
    await keepWords(tenant, asked)
    const gasLimit = write.gasInHand === undefined ? undefined : gasLimitFor(built.simulation, write.gasInHand)
    if (relayerAddress) {
      const transactionHash = await relayed(relayer, tenant, call.operationId, built, gasLimit)
      const { tokenAddress } = stock
      return { data: { transactionHash, tokenAddress, ...asked.done, ...considered.done }, block }
    }
    const endpoint = call.mountedAt.replace('{tokenAddress}', stock.tokenAddress)
    const following = considered.following?.map(({ call: { to, data }, functionName, description }) => ({
      ...{ to, data, value: '0' as const, chainId: chain.chainId },
      ...{ functionName, description },
    }))
    const { signerAddress } = signers
    const data = {
      ...unsigned(built, endpoint),
      requiredRole: write.signer.requiredRole,
      signerAddress,
      ...considered.built,
      ...(gasLimit === undefined ? {} : { gasLimit: gasLimit?.toString() ?? null }),
      ...(following ? { steps: stepsOf(built, following) } : {}),
    }
    return { data, block, calls: [built.transaction, ...(following ?? [])] }
  }

  /** The module that carries out what the token forwards: it is the one that speaks. */
  async function moduleOf(chain: Chain, { tokenAddress }: Stock): Promise<Address> {
    const { results } = await chain.read([contractRead(tokenAddress, abis.stock, 'complianceModule', [])])
    const [module] = results
    if (!module.ok) throw new AppError('CHAIN_UNAVAILABLE')
    return module.value.toLowerCase() as Address
  }

  async function confirm<B extends Signing>(call: WriteCall, stock: Stock, write: StockWrite<B>, body: B, txHash: Hex) {
    const expected = write.expect(body, stock)
    const chain = chains.get(stock.chainId)
    const module = write.byModule ? await moduleOf(chain, stock) : null
    const pair = module
      ? {
          ...write.pair,
          settle: (_token: Address, logs: Parameters<typeof write.pair.settle>[1]) => write.pair.settle(module, logs),
        }
      : write.pair
    const intent = { chain, pair, target: stock.tokenAddress, kind: 'stock' }
    const alongside = (proof: ConfirmedEffect<Effect>): Alongside => {
      if (write.isWhatWasAsked && !write.isWhatWasAsked(proof, body, stock)) throw new AppError('TX_NOT_VERIFIED')
      const fromBlock = proof.transaction.block.number
      return module ? { concerns: [{ address: module, kind: 'stockCompliance', fromBlock }] } : {}
    }
    const proof = await intents.confirm(call.tenant, intent, expected, txHash, alongside)
    const data = {
      transactionHash: proof.transaction.hash,
      tokenAddress: stock.tokenAddress,
      ...write.tell(proof, stock),
      ...(proof.verifiedBy ? { verifiedBy: proof.verifiedBy } : {}),
    }
    return { data, block: proof.transaction.block }
  }

  return {
    async perform<B extends Signing>(call: WriteCall, write: StockWrite<B>, body: B) {
      refuseBoth(body)
      const stock = await requireStock(call.tenant, call.tokenAddress)
      const { txHash } = body
      return txHash === undefined ? build(call, stock, write, body) : confirm(call, stock, write, body, txHash as Hex)
    },
  }
}

const nothingMore: Considered = { built: {}, done: {} }

/** All transactions of a write in order; none when the first is the only one. */
function stepsOf<F extends object>(
  { transaction, functionName }: { readonly transaction: object; readonly functionName: string },
  following: readonly F[],
) {
  const first = { ...transaction, functionName, description: 'Starts the split and converts the first holders.' }
  return following.length === 0 ? [] : [first, ...following]
}

export type StockWrites = ReturnType<typeof createStockWrites>
