import { type Address, TallyError } from '@tallystick/sdk'
import { type ReactNode, useRef, useState } from 'react'
import { challenge, demoSignIn, type Session, signIn } from '../api/access.ts'
import { useDemoRoles, useEnter } from '../api/session.ts'
import { connect, iconOf, type KnownWallet, signText, useWallets } from '../api/wallets.ts'
import { showWords } from '../lib/format.ts'
import { isRejection } from '../signing/sign.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { messageOf } from '../ui/loading.tsx'
import { Instances, type InstancesToChoose } from './instances.tsx'
import mark from './mark.svg'
import { goToProvider, useIdentityProvider } from './provider.tsx'
import { toggleTheme, useTheme } from './theme.ts'

/** One attempt at a time, whichever way. */
function useAttempt() {
  const enter = useEnter()
  const busy = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  async function attempt(work: () => Promise<Session | undefined>): Promise<void> {
    if (busy.current) return
    busy.current = true
    setBusy(true)
    setFault(undefined)
    try {
      const session = await work()
      if (session) enter(session)
    } catch (error) {
      setFault(isRejection(error) ? t.signing.rejected : messageOf(error))
    } finally {
      busy.current = false
      setBusy(false)
    }
  }
  return { attempt, isBusy, fault }
}

type Attempt = ReturnType<typeof useAttempt>['attempt']

/** Every way in. `isKept`: what is on screen has to be there afterwards. */
export function SignInWays({ isKept = false }: { isKept?: boolean }) {
  const { attempt, isBusy, fault } = useAttempt()
  const demo = useDemoRoles()
  return (
    <>
      {fault ? <Notice tone="bad">{fault}</Notice> : null}
      {demo.data?.length ? (
        <Way title={t.signIn.demo} about={t.signIn.demoAbout}>
          <div className="grid gap-2 sm:grid-cols-2">
            {demo.data.map(({ role, name, address }) => (
              <Button
                key={role}
                disabled={isBusy}
                className="h-auto justify-start py-2 text-left"
                onClick={() => void attempt(() => demoSignIn(role))}
              >
                <Identicon seed={address} />
                <span className="min-w-0">
                  <span className="block">{showWords(role)}</span>
                  {name === showWords(role) ? null : (
                    <span className="block truncate text-xs font-normal text-muted">{name}</span>
                  )}
                </span>
              </Button>
            ))}
          </div>
        </Way>
      ) : null}
      <WithProvider attempt={attempt} isBusy={isBusy} isKept={isKept} />
      <WithWallet attempt={attempt} isBusy={isBusy} />
      <WithKey attempt={attempt} isBusy={isBusy} />
    </>
  )
}

export function SignIn() {
  const theme = useTheme()
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-5 px-4 py-10">
      <div className="flex items-start justify-between">
        <div>
          <p className="flex items-center gap-2.5 text-lg font-medium tracking-tight">
            <img src={mark} alt="" className="size-7" /> {t.product}
          </p>
          <p className="mt-1 text-sm text-muted">{t.signIn.about}</p>
        </div>
        <Button look="quiet" small aria-label={t.nav.theme} onClick={toggleTheme}>
          <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
        </Button>
      </div>
      <h1 className="text-2xl font-medium tracking-tight">{t.signIn.title}</h1>
      <SignInWays />
      <a href="/docs" className="inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
        <Icon name="book" /> {t.nav.docs}
      </a>
    </main>
  )
}

const Way = ({ title, about, children }: { title: string; about: string; children: ReactNode }) => (
  <section className="rounded-lg border border-line bg-panel p-4">
    <h2 className="text-base font-medium">{title}</h2>
    <p className="mt-0.5 mb-3 text-sm text-muted">{about}</p>
    {children}
  </section>
)

interface Choice {
  readonly instances: InstancesToChoose
  readonly proof: Parameters<typeof signIn>[0]
}

function WithWallet({ attempt, isBusy }: { attempt: Attempt; isBusy: boolean }) {
  const wallets = useWallets()
  const [choice, setChoice] = useState<Choice>()
  async function enterWith(wallet: KnownWallet): Promise<Session | undefined> {
    const connection = await connect(wallet)
    const { nonce, message } = await challenge(connection.address)
    const signature = await signText(connection, message)
    const proof = { address: connection.address as Address, nonce, signature }
    try {
      return await signIn(proof)
    } catch (error) {
      if (!(error instanceof TallyError) || error.code !== 'INSTANCE_CHOICE_REQUIRED') throw error
      setChoice({ instances: error.extra.instances as Choice['instances'], proof })
      return undefined
    }
  }
  return (
    <Way title={t.signIn.wallet} about={t.signIn.walletAbout}>
      {wallets.length === 0 ? <p className="text-sm">{t.signIn.noWallet}</p> : null}
      <div className="space-y-2">
        {wallets.map((wallet) => (
          <Button
            key={wallet.info.uuid}
            className="w-full"
            disabled={isBusy}
            onClick={() => void attempt(() => enterWith(wallet))}
          >
            {iconOf(wallet) ? <img src={iconOf(wallet)} alt="" className="size-4" /> : <Icon name="wallet" />}
            {isBusy ? t.signIn.waiting : wallet.info.name}
          </Button>
        ))}
      </div>
      {choice ? (
        <div className="mt-3">
          <Instances
            of={choice.instances}
            disabled={isBusy}
            onChoose={(instanceId) => void attempt(() => signIn({ ...choice.proof, instanceId }))}
          />
        </div>
      ) : null}
    </Way>
  )
}

function WithProvider({ attempt, isBusy, isKept }: { attempt: Attempt; isBusy: boolean; isKept: boolean }) {
  const { data: provider } = useIdentityProvider()
  const [isElsewhere, setElsewhere] = useState(false)
  if (!provider) return null
  async function go(): Promise<undefined> {
    await goToProvider(isKept)
    setElsewhere(isKept)
  }
  return (
    <Way title={t.signIn.provider} about={t.signIn.providerAbout}>
      <Button className="w-full" disabled={isBusy} onClick={() => void attempt(go)}>
        {t.signIn.providerButton} {provider.name}
      </Button>
      {isElsewhere ? <p className="mt-2 text-sm">{t.signIn.providerElsewhere}</p> : null}
    </Way>
  )
}

function WithKey({ attempt, isBusy }: { attempt: Attempt; isBusy: boolean }) {
  const [apiKey, setApiKey] = useState('')
  return (
    <Way title={t.signIn.key} about={t.signIn.keyAbout}>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(() => signIn({ apiKey: apiKey.trim() }))
        }}
      >
        <Field className="flex-1" label={t.signIn.keyLabel} type="password" value={apiKey} onChange={setApiKey} />
        <Button type="submit" look="primary" className="h-10" disabled={isBusy || apiKey.trim() === ''}>
          {t.signIn.keyButton}
        </Button>
      </form>
    </Way>
  )
}
