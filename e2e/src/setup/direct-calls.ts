import { type Address, type Hex, sendAndWait, type Wallet } from '@tallystick/sdk'

/** Sends what no service builds: the business of those who made a token. In order, each mined before the next. */
export async function sendDirectly(
  wallet: Wallet,
  calls: ReadonlyArray<{ to?: Address; data: Hex }>,
): Promise<(Address | null)[]> {
  const created: (Address | null)[] = []
  for (const call of calls) created.push((await sendAndWait(wallet, call)).contractAddress ?? null)
  return created
}
