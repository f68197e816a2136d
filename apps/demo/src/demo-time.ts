import type { Clock } from '@tallystick/server/platform'
import { createTestClient, http, publicActions } from 'viem'
import { foundry } from 'viem/chains'

const DAY_MS = 24 * 60 * 60 * 1000

/** How long ago the chain of the demo began: prices have a past then. An oracle takes none that is more than thirty days old. */
export const chainBeginsAt = (clock: Clock): Date => new Date(clock.now().getTime() - 28 * DAY_MS)

/** Lets the clock of the chain catch up with that of the machine. One that is there already, or ahead, is left alone. */
export async function bringToPresent(rpcUrl: string, clock: Clock): Promise<void> {
  // Both engines know the methods of this one.
  const node = createTestClient({ chain: foundry, mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
  const { timestamp } = await node.getBlock()
  const seconds = Math.floor(clock.now().getTime() / 1000) - Number(timestamp)
  if (seconds * 1000 < DAY_MS) return
  await node.increaseTime({ seconds })
  await node.mine({ blocks: 1 })
}
