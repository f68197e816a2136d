import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { beginAtProvider, signIn } from '../api/access.ts'
import { isCode } from '../api/client.ts'
import { useEnter } from '../api/session.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { messageOf } from '../ui/loading.tsx'
import { Instances, type InstancesToChoose } from './instances.tsx'

/** Where the identity provider sends people back to. */
export const RETURN_PATH = '/sign-in/oidc'

/** The secret of a flow stays in the browser that began it: whoever else is sent to the way back has none. */
const keyOf = (state: string) => `tallystick.flow.${state}`

/** What the service tells its pages before anybody is signed in. */
async function settings(): Promise<{ readonly name: string } | null> {
  const response = await fetch('/console.json')
  const { identityProvider } = (await response.json()) as { identityProvider: { name: string } | null }
  return identityProvider
}

export const useIdentityProvider = () =>
  useQuery({
    queryKey: ['demo', 'ways'],
    queryFn: settings,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Goes to the provider: in this window, or in another where this one has something to keep. */
export async function goToProvider(isKept: boolean): Promise<void> {
  // Browsers open windows for clicks only, and the answer comes after.
  const other = isKept ? open('', '_blank') : null
  try {
    const { authorizationUrl, state, flow } = await beginAtProvider()
    localStorage.setItem(keyOf(state), flow)
    if (other) other.location.replace(authorizationUrl)
    else location.assign(authorizationUrl)
  } catch (error) {
    other?.close()
    throw error
  }
}

/** What came back, taken out of the address and out of the browser: it serves once. */
function takeReturn() {
  const { code, state, iss, error } = Object.fromEntries(new URLSearchParams(location.search))
  history.replaceState(null, '', RETURN_PATH)
  const flow = state === undefined ? null : localStorage.getItem(keyOf(state))
  if (state !== undefined) localStorage.removeItem(keyOf(state))
  if (error !== undefined) return { fault: t.signIn.returnedRefused }
  if (flow === null || code === undefined || state === undefined) return { fault: t.signIn.returnedLost }
  return { oidc: { flow, code, state, ...(iss === undefined ? {} : { iss }) } }
}

type Oidc = NonNullable<ReturnType<typeof takeReturn>['oidc']>

export function ReturnFromProvider() {
  const router = useRouter()
  const enter = useEnter()
  const [fault, setFault] = useState<string>()
  const [choice, setChoice] = useState<{ oidc: Oidc; instances: InstancesToChoose }>()
  const hasBegun = useRef(false)

  async function enterWith(oidc: Oidc, instanceId?: string): Promise<void> {
    try {
      enter(await signIn({ oidc, ...(instanceId === undefined ? {} : { instanceId }) }))
      await router.navigate({ to: '/', replace: true })
    } catch (error) {
      if (isCode(error, 'INSTANCE_CHOICE_REQUIRED'))
        setChoice({ oidc, instances: error.extra.instances as InstancesToChoose })
      else setFault(messageOf(error))
    }
  }

  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    const { oidc, fault: refused } = takeReturn()
    if (oidc) void enterWith(oidc)
    else setFault(refused)
  })

  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-5 px-4 py-10">
      <h1 className="text-2xl font-medium tracking-tight">{t.signIn.title}</h1>
      {fault ? (
        <>
          <Notice tone="bad">{fault}</Notice>
          <Button look="primary" onClick={() => void router.navigate({ to: '/', replace: true })}>
            {t.signIn.begin}
          </Button>
        </>
      ) : choice ? (
        <Instances of={choice.instances} onChoose={(instanceId) => void enterWith(choice.oidc, instanceId)} />
      ) : (
        <p role="status" className="text-sm text-muted">
          {t.signIn.returning}
        </p>
      )}
    </main>
  )
}
