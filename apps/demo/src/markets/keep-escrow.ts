import { demoIdentityRegistryAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData } from 'viem'
import type { DemoCall } from '../demo-signing.ts'
import { admission } from './fund-borrower.ts'
import type { KeptMarket } from './kept-market.ts'
import { type BuiltCall, ofPositions, type Stage } from './market-stage.ts'

const AMOUNT = '1'

function removal({ world, borrower }: Stage): DemoCall {
  const args = [borrower.address] as const
  const data = encodeFunctionData({ abi: demoIdentityRegistryAbi, functionName: 'deleteIdentity', args })
  return { to: world.contracts.identityRegistry as Address, data }
}

/** A note that came back while the register did not know its owner waits in custody: there is always something to claim. */
export async function keepEscrow(stage: Stage, { marketId, market }: KeptMarket): Promise<void> {
  const { lender, issuer, borrower, signing } = stage
  const { escrowedCollateralRaw } = await lender.call<{ escrowedCollateralRaw: string }>(
    'GET',
    ofPositions(marketId, `/escrowed-collateral/${borrower.address}`),
  )
  if (escrowedCollateralRaw !== '0' || market.loans.healthy === undefined) return
  const path = ofPositions(marketId, '/withdraw-collateral')
  const body = { loanId: market.loans.healthy, amount: AMOUNT }
  const { transaction } = await lender.call<{ transaction: Required<BuiltCall> }>('POST', path, body)
  await signing.sendAll(issuer.account, [removal(stage)])
  try {
    const [returned] = await signing.sendAll(borrower, [{ to: transaction.to, data: transaction.data }])
    await lender.call('POST', path, { ...body, txHash: returned?.hash })
  } finally {
    await signing.sendAll(issuer.account, [admission(stage)])
  }
}
