import { TallyConnectionError } from '@tallystick/sdk'
import { useRef, useState } from 'react'
import { type Book, type Kind, type NewOrder, type Placed, placeOffchain, placeSigned } from '../api/trading.ts'
import { isRejection } from '../signing/sign.ts'
import { t } from '../texts/index.ts'
import { messageOf } from '../ui/loading.tsx'
import { showUnits } from './units.ts'
import type { Own } from './use-own.ts'
import type { Trader } from './use-trader.ts'

export type Sending = NewOrder & {
  /** `unknown`: the service did not answer; the list of orders will tell. */
  readonly state: 'sending' | 'unknown'
}

export interface Said {
  readonly tone: 'good' | 'bad' | 'warn'
  readonly text: string
}

const text = t.trade.said

function outcomeOf({ order, status, filledQuantity }: Placed): Said {
  const what = `${t.trade.sides[order.side]} ${showUnits(order.quantity)}`
  if (status === 'FILLED') return { tone: 'good', text: `${what}: ${text.filled}` }
  if (status === 'OPEN') return { tone: 'good', text: `${what}: ${text.rests}` }
  if (status === 'AUCTION_PENDING') return { tone: 'good', text: `${what}: ${text.collected}` }
  if (status === 'PARTIALLY_FILLED')
    return { tone: 'good', text: `${what}: ${showUnits(filledQuantity)} ${text.partly}` }
  const reason = order.cancelReason === null ? '' : ` (${t.trade.reasons[order.cancelReason] ?? order.cancelReason})`
  return { tone: 'warn', text: `${what}: ${showUnits(filledQuantity)} ${text.ended}${reason}` }
}

/**
 * Places orders. An order is on the screen from the moment it is sent, marked as such; what the service answers takes its place. One whose
 * answer is lost stays marked until the list of orders says whether it came in.
 */
export function usePlace({ kind, book, trader, own }: { kind: Kind; book: Book; trader: Trader; own: Own }) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const [said, setSaid] = useState<Said>()
  const last = useRef('')

  const forget = (id: string) => setSending((all) => all.filter(({ clientOrderId }) => clientOrderId !== id))

  async function send(order: NewOrder): Promise<Placed> {
    const { holder, wallet } = trader
    if (kind === 'offchain') {
      if (!holder || !('customerRef' in holder)) throw new Error(t.trade.ticket.noCustomer)
      return placeOffchain(book.id, holder.customerRef, order)
    }
    if (!wallet) throw new Error(t.trade.ticket.noWallet)
    return placeSigned(kind, book.id, wallet, order)
  }

  async function place(order: Omit<NewOrder, 'clientOrderId'>): Promise<boolean> {
    const clientOrderId = crypto.randomUUID()
    const whole = { ...order, clientOrderId }
    last.current = clientOrderId
    setSending((all) => [{ ...whole, state: 'sending' }, ...all])
    setSaid(undefined)
    const say = (one: Said) => last.current === clientOrderId && setSaid(one)
    try {
      const placed = await send(whole)
      await own.put(placed.order)
      forget(clientOrderId)
      say(outcomeOf(placed))
      return true
    } catch (error) {
      if (error instanceof TallyConnectionError) {
        setSending((all) =>
          all.map((one) => (one.clientOrderId === clientOrderId ? { ...one, state: 'unknown' } : one)),
        )
        own.refreshSoon()
        say({ tone: 'warn', text: text.unknown })
      } else {
        forget(clientOrderId)
        say({ tone: 'bad', text: isRejection(error) ? t.signing.rejected : messageOf(error) })
      }
      return false
    }
  }

  const open = own.open.data ?? []
  const isKnown = ({ clientOrderId }: Sending) => open.some((order) => order.clientOrderId === clientOrderId)
  return { place, said, say: setSaid, forget, sending: sending.filter((one) => !isKnown(one)) }
}

export type Placing = ReturnType<typeof usePlace>
