import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { Random } from '../../platform/random.ts'
import type { HookEvent } from './alert.rules.ts'
import type { NewDelivery } from './deliveries.store.ts'

interface Addressee {
  readonly instanceId: string
  readonly hookId: string
  readonly marketId: string
}

/** The message about an event: its bytes are fixed here, whenever and however often it is sent. */
export function messageFor(
  { instanceId, hookId, marketId }: Addressee,
  { type, data }: HookEvent,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): NewDelivery {
  const createdAt = clock.now()
  const deliveryId = newId(clock, random)
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data: { hookId, marketId, ...data } })
  const webhookId = `msg_${deliveryId.replaceAll('-', '')}`
  return { instanceId, deliveryId, hookId, webhookId, type, body, redeliveryOf: null, createdAt }
}
