import type { Wallet } from '@tallystick/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useDemoRoles, useSignedIn } from '../api/session.ts'
import {
  availableOf,
  type Book,
  type Holder,
  type Kind,
  nameOfHolder,
  type Side,
  useCustomers,
} from '../api/trading.ts'
import { useConnection } from '../api/wallets.ts'
import { orderWallet } from './wallet.ts'

const CHOSEN = 'tallystick.customer'

export interface Trader {
  readonly holder: Holder | undefined
  /** Who signs, where orders are signed. */
  readonly wallet: Wallet | undefined
  readonly customers: readonly { readonly customerRef: string; readonly name: string | null }[]
  readonly choose: (customerRef: string) => void
}

/** For whom orders are placed: a customer of the ledger, or the wallet that signs. */
export function useTrader(kind: Kind): Trader {
  const session = useSignedIn()
  const connection = useConnection()
  const demo = useDemoRoles()
  const isDemo = (demo.data?.length ?? 0) > 0
  const customers = useCustomers(kind === 'offchain').data ?? []
  const [chosen, setChosen] = useState(() => localStorage.getItem(CHOSEN) ?? '')
  const known = customers.find(({ customerRef }) => customerRef === chosen) ?? customers[0]
  useEffect(() => {
    if (known) localStorage.setItem(CHOSEN, known.customerRef)
  }, [known])
  const wallet = useMemo(
    () => (kind === 'offchain' ? undefined : orderWallet(session, connection, isDemo)),
    [kind, session, connection, isDemo],
  )
  const customerRef = known?.customerRef
  const address = wallet?.account.address ?? session.user?.address ?? undefined
  const holder = useMemo((): Holder | undefined => {
    if (kind === 'offchain') return customerRef === undefined ? undefined : { customerRef }
    return address === undefined ? undefined : { address: address.toLowerCase() as typeof address }
  }, [kind, customerRef, address])
  return { holder, wallet, customers, choose: setChosen }
}

export const useAvailable = (kind: Kind, book: Book, holder: Holder | undefined, side: Side) =>
  useQuery({
    queryKey: ['available', kind, book.id, side, holder ? nameOfHolder(holder) : ''],
    queryFn: () => (holder ? availableOf(kind, book, holder, side) : null),
    refetchInterval: 10_000,
  })
