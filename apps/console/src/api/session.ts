import type { Address } from '@tallystick/sdk'
import { QueryClient, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { type DemoRole, demoRoles, getSession, type Session } from './access.ts'
import { isCode, onRefusal, onSessionEnd, setCsrfToken } from './client.ts'
import { useConnection } from './wallets.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // The client repeats what may pass by itself.
      retry: false,
    },
  },
})

const SESSION = ['session'] as const

/** Nobody is signed in: null. */
async function currentSession(): Promise<Session | null> {
  try {
    const session = await getSession()
    setCsrfToken(session.csrfToken)
    return session
  } catch (error) {
    if (isCode(error, 'AUTH_REQUIRED', 'AUTH_FAILED', 'SESSION_REQUIRED')) return null
    throw error
  }
}

export const useSession = () => useQuery({ queryKey: SESSION, queryFn: currentSession, staleTime: 60_000 })

/** For pages behind the sign-in. */
export function useSignedIn(): Session {
  const { data } = useSession()
  if (!data) throw new Error('nobody is signed in')
  return data
}

/** Of the wallet of who is signed in; of the one that is connected where a user has none. */
export function useOwnAddress(): Address | undefined {
  const connection = useConnection()
  return useSignedIn().user?.address ?? connection?.address
}

/** The same in all sessions of one user, or of one key. */
export const personOf = ({ instance, user, keyId }: Session) => `${instance.instanceId} ${user?.userId ?? keyId}`

const isOfPerson = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  queryKey[0] !== 'session' && queryKey[0] !== 'demo'

function enter(session: Session): void {
  setCsrfToken(session.csrfToken)
  // What the one before saw is not for the next one; the same person goes on where it was.
  const before = queries.getQueryData<Session | null>(SESSION)
  if (!before || personOf(before) !== personOf(session)) queries.removeQueries({ predicate: isOfPerson })
  queries.setQueryData(SESSION, session)
  setEnded(false)
  void queries.invalidateQueries({ predicate: isOfPerson })
}

/** All windows share one cookie: what one does with it counts for the others. */
const windows = new BroadcastChannel('tallystick.session')

export function useEnter(): (session: Session) => void {
  return (session) => {
    enter(session)
    windows.postMessage('entered')
  }
}

export function leave(): void {
  setCsrfToken(undefined)
  queries.setQueryData(SESSION, null)
  setEnded(false)
  windows.postMessage('left')
}

windows.addEventListener('message', ({ data }: MessageEvent<'entered' | 'left'>) => {
  if (data === 'left') {
    if (queries.getQueryData(SESSION)) setEnded(true)
    return
  }
  currentSession().then(
    (session) => session && enter(session),
    // The next request says what is wrong.
    () => {},
  )
})

let isEnded = false
const listeners = new Set<() => void>()

function setEnded(value: boolean): void {
  isEnded = value
  for (const listener of listeners) listener()
}

/** The service no longer knows the session. The page stays as it is, with all that was typed, until somebody signs in again. */
export const useEnded = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isEnded,
  )

onSessionEnd(() => {
  if (queries.getQueryData(SESSION)) setEnded(true)
})

// A role may have been taken away meanwhile: the page learns what is left.
onRefusal(() => {
  if (queries.getQueryData(SESSION)) void queries.invalidateQueries({ queryKey: SESSION })
})

async function rolesOfDemo(): Promise<readonly DemoRole[]> {
  try {
    return (await demoRoles()).roles
  } catch {
    // Not a demo: nobody answers there.
    return []
  }
}

export const useDemoRoles = () =>
  useQuery({ queryKey: ['demo'], queryFn: rolesOfDemo, staleTime: Number.POSITIVE_INFINITY })
