import { QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { type DemoRole, demoRoles, getSession, type Session } from './access.ts'
import { isCode, onSessionEnd, setCsrfToken } from './client.ts'

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

const isSamePerson = (a: Session | null | undefined, b: Session) =>
  a?.name === b.name && a.instance.instanceId === b.instance.instanceId && a.user?.address === b.user?.address

export function useEnter(): (session: Session) => void {
  const client = useQueryClient()
  return (session) => {
    setCsrfToken(session.csrfToken)
    // What the one before saw is not for the next one; the same person goes on where it was.
    if (!isSamePerson(client.getQueryData<Session>(SESSION), session))
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' && queryKey[0] !== 'demo' })
    client.setQueryData(SESSION, session)
    setEnded(false)
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' && queryKey[0] !== 'demo' })
  }
}

export function leave(): void {
  setCsrfToken(undefined)
  queries.setQueryData(SESSION, null)
  setEnded(false)
}

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
