import type { DemoStock } from './deploy-stocks.ts'
import { lastWrites, type StockPlan } from './stock-plan.ts'
import { addressOf, type StocksStage, type Write } from './stocks-stage.ts'

interface StockState {
  readonly totalSupply: string
  readonly splitRatio: { readonly numerator: string; readonly denominator: string }
}

interface Roles {
  readonly roles: { readonly SUB_ISSUER: boolean; readonly CONTROLLER: boolean }
}

const sumOf = (issued: StockPlan['issued']) => issued.reduce((sum, { amount }) => sum + Number(amount), 0)

const writesOn = (token: string) => ({
  manage: (rest: string, body: Write['body']): Write => ({ path: `/stocks/api/manage/${token}/${rest}`, body }),
  supply: (rest: string, body: Write['body']): Write => ({ path: `/stocks/api/tokenization/${token}/${rest}`, body }),
})

/** What the issuer still has to sign. It is signed in this order, so that what is done is done from the front. */
export async function missingWrites({ call }: StocksStage, { plan, token }: DemoStock): Promise<Write[]> {
  const { subIssuerCap, lockup, issued, redeemed, split } = plan
  const read = <T>(rest: string) => call<T>('GET', `/stocks/api/fetch/${rest}`)
  const [controller, subIssuer] = [addressOf('controller'), addressOf('subIssuer')]
  const [{ totalSupply, splitRatio }, controllers, subIssuers] = await Promise.all([
    read<StockState>(`token/${token}`),
    read<Roles>(`${token}/role/${controller}`),
    read<Roles>(`${token}/role/${subIssuer}`),
  ])
  if (splitRatio.numerator !== splitRatio.denominator) return []
  const { manage, supply } = writesOn(token)
  const writes: Write[] = []
  if (!controllers.roles.CONTROLLER) writes.push(manage('controller/add', { account: controller }))
  if (subIssuerCap !== null) {
    if (!subIssuers.roles.SUB_ISSUER) writes.push(manage('sub-issuer/add', { account: subIssuer }))
    // Twice is no harm.
    writes.push(manage('sub-issuer/cap', { account: subIssuer, cap: subIssuerCap }))
  }
  if (lockup) writes.push(manage('compliance/lockup', { account: addressOf(lockup.holder), until: lockup.until }))
  const isIssued = totalSupply !== '0'
  if (!isIssued) {
    const recipients = issued.map(({ holder }) => addressOf(holder))
    const amounts = issued.map(({ amount }) => amount)
    writes.push(supply('batch-issue', { recipients, amounts, reason: 'Founding of the company' }))
  }
  if (!isIssued || Number(totalSupply) === sumOf(issued)) {
    const { holder, amount, reason } = redeemed
    writes.push(supply('redeem', { account: addressOf(holder), amount, reason }))
  }
  return split ? [...writes, supply('stock-split', split)] : writes
}

/** What others than the issuer sign. */
export function writesOfOthers(token: string): Record<'subIssuer' | 'controller', Write> {
  const { manage, supply } = writesOn(token)
  const { issued, frozen } = lastWrites
  const recipient = addressOf(issued.holder)
  return {
    subIssuer: supply('issue', { recipient, amount: issued.amount, reason: issued.reason }),
    controller: manage('freeze', { account: addressOf(frozen.holder), amount: frozen.amount }),
  }
}
