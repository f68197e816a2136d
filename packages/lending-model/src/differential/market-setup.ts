import { type Abi, type Address, maxUint256, toFunctionSelector, zeroAddress, zeroHash } from 'viem'
import { initialState } from '../market/initial-state.ts'
import type { LendingState, Party } from '../market/state.ts'
import type { Chain } from './chain.ts'
import type { Clock } from './clock.ts'
import type { MarketChoice } from './market-choice.ts'
import { type Addresses, addressOf, borrowers } from './parties.ts'
import type { ContractName, Suite } from './suite.ts'

export interface Stage {
  addresses: Addresses
  abis: Suite['abis']
  state: LendingState
}

const noHash = zeroHash
/** Who pays whom in the borrow asset. */
const spendersOf: Record<Party, Party[]> = {
  lenderA: ['market'],
  lenderB: ['market'],
  borrowerA: ['market', 'venue'],
  borrowerB: ['market'],
  borrowerC: ['market'],
  bidderA: ['venue'],
  bidderB: ['venue'],
  seller: ['router'],
  saleRecipient: ['router'],
  stranger: ['market', 'fund'],
}
const fortune = 10n ** 9n

/** A market of its own for one stretch of steps, with the chosen decimals, fees, curve and terms. */
export async function setUpMarket(
  chain: Chain,
  clock: Clock,
  suite: Suite,
  accounts: Addresses,
  choice: MarketChoice,
): Promise<Stage> {
  const { abis, factory } = suite
  const addresses = new Map(accounts)
  const account = (party: Party) => addressOf(addresses, party)
  const send = (from: Party, to: Address, contract: ContractName, functionName: string, args: readonly unknown[]) =>
    chain.send(account(from), clock.tick(), { to, abi: abis[contract] as Abi, functionName, args })

  const { assetDecimals, collateralDecimals, openFee, repayFee, curve, maxLoanDuration, initialPrice } = choice
  const { maxPriceAge, maxDeviationBps, useDutchAuction, auctionDuration, protocolFeeBps } = choice
  const unit = 10n ** assetDecimals

  const asset = await suite.create('DemoCash', ['Cash', 'CASH', assetDecimals, account('owner')])
  const token = await suite.create('DemoCash', ['Bond', 'BOND', collateralDecimals, account('owner')])
  await send('owner', factory, 'LendingFactory', 'setDefaultFees', [openFee, repayFee])
  const offer = { mode: 0, floorBps: 0n, capBps: 0n, fixedBps: 0n }
  const params = {
    collateralToken: token,
    borrowAsset: asset,
    mode: 1,
    priceSource: 0,
    initialPrice,
    fallbackDecimals: 0,
    borrowerRegistry: zeroAddress,
    providerRegistry: zeroAddress,
    candidates: [account('lenderA')],
    isOpenToAnyCurator: false,
    curve,
    offer,
    maxLoanDuration,
    gracePeriod: 0,
    terminalDueAt: 0,
    assetDataHash: noHash,
  }
  await send('owner', factory, 'LendingFactory', 'deployMarket', [params])
  const deployedAt = clock.now()
  const count = await chain.callAt(factory, toFunctionSelector('marketCount()'), deployedAt)
  const index = (BigInt(count) - 1n).toString(16).padStart(64, '0')
  const marketWord = await chain.callAt(factory, `${toFunctionSelector('marketAt(uint256)')}${index}`, deployedAt)
  const market: Address = `0x${marketWord.slice(-40)}`
  const partsWords = await chain.callAt(market, toFunctionSelector('parts()'), deployedAt)
  const part = (position: number): Address => `0x${partsWords.slice(2 + position * 64 + 24, 2 + (position + 1) * 64)}`
  addresses.set('asset', asset).set('token', token).set('market', market)
  addresses.set('oracle', part(2)).set('model', part(3)).set('fund', part(4))
  addresses.set('adapter', part(5)).set('router', part(6))
  const terms = {
    admin: account('admin'),
    issuer: account('admin'),
    collateralAgent: account('admin'),
    saleRecipient: account('saleRecipient'),
    liquidationOperator: account('seller'),
    oracleOwner: account('admin'),
    priceSigner: account('signer'),
    realizationMode: 2,
    liquidityCommitment: 0n,
    maxFixedRateBps: 0,
    borrowerRegistry: zeroAddress,
    providerRegistry: zeroAddress,
    liquidator: account('liquidator'),
    vault: zeroAddress,
    assetDataHash: noHash,
  }
  await send('lenderA', factory, 'LendingFactory', 'acceptCuratorRole', [market, terms, noHash])
  const venue = await suite.create('DutchAuctionVenue', [market, token, asset, 10n ** collateralDecimals])
  addresses.set('venue', venue)
  await send('admin', market, 'LendingMarket', 'setAuctionModule', [venue])
  await send('admin', account('router'), 'LiquidationRouter', 'authorizeLendingMarket', [venue, true])
  await send('admin', account('oracle'), 'SecurityPriceOracle', 'setMaxPriceAge', [maxPriceAge])
  await send('admin', account('oracle'), 'SecurityPriceOracle', 'setMaxDeviation', [maxDeviationBps])

  const assets = new Map<Party, bigint>()
  const collaterals = new Map<Party, bigint>()
  for (const [party, spenders] of Object.entries(spendersOf)) {
    await send('owner', asset, 'DemoCash', 'mint', [account(party), fortune * unit])
    assets.set(party, fortune * unit)
    for (const spender of spenders) {
      await send(party, asset, 'DemoCash', 'approve', [account(spender), maxUint256])
    }
  }
  for (const party of borrowers) {
    await send('owner', token, 'DemoCash', 'mint', [account(party), fortune * 10n ** collateralDecimals])
    await send(party, token, 'DemoCash', 'approve', [account('adapter'), maxUint256])
    collaterals.set(party, fortune * 10n ** collateralDecimals)
  }
  const state = initialState({ ...choice, deployedAt, operator: 'lenderA', assets, collaterals })
  state.config = { ...state.config, useDutchAuction, auctionDuration, protocolFeeBps }
  await send('admin', market, 'LendingMarket', 'setConfig', [state.config])
  state.pool.accruedAt = clock.now()
  state.pool.index = state.pool.rateWad * (clock.now() - deployedAt)
  state.oracle.maxPriceAge = maxPriceAge
  state.oracle.maxDeviationBps = maxDeviationBps
  return { addresses, abis, state }
}
