import type { PrivateKeyAccount } from 'viem/accounts'
import { must } from './signing.ts'
import type { CallOptions, TestAnswer, TestInstance, World } from './world.ts'

export const SIGN_IN = '/access/api/sign-in'
export const SESSION = '/access/api/session'
export const USERS = '/access/api/users'

/** Somebody who is signed in: keeps the cookie and shows the token, as a page of the console does. */
export interface Browser {
  readonly cookie: string
  readonly csrfToken: string
  readonly sessionId: string
  readonly answer: TestAnswer
  call(method: string, path: string, options?: Omit<CallOptions, 'key'>): Promise<TestAnswer>
}

export const cookieOf = ({ headers }: TestAnswer): string => String(headers['set-cookie']).split(';')[0] ?? ''

export function browserOf(world: World, answer: TestAnswer): Browser {
  const { data } = must(answer).body
  const cookie = cookieOf(answer)
  return {
    cookie,
    csrfToken: data.csrfToken,
    sessionId: data.sessionId,
    answer,
    call: (method, path, options = {}) =>
      world.call(method, path, {
        ...options,
        headers: { cookie, ...(method === 'GET' ? {} : { 'x-csrf-token': data.csrfToken }), ...options.headers },
      }),
  }
}

export const signInWithKey = async (world: World, { apiKey }: Pick<TestInstance, 'apiKey'>): Promise<Browser> =>
  browserOf(world, await world.call('POST', SIGN_IN, { body: { apiKey } }))

/** The data of a build that waits for a second person. */
export function withheld({ status, body }: TestAnswer) {
  if (status !== 202) throw new Error(`expected to wait for somebody, got ${status}: ${JSON.stringify(body)}`)
  return body.data as { transactionId: string; action: string; approval: { status: string } }
}

export async function challenged(world: World, account: PrivateKeyAccount, headers: Record<string, string> = {}) {
  const { address } = account
  const { body } = must(await world.call('POST', `${SIGN_IN}/challenge`, { body: { address }, headers }))
  const { nonce, message } = body.data as { nonce: string; message: string }
  return { address, nonce, message, signature: await account.signMessage({ message }) }
}

export async function signInWithWallet(world: World, account: PrivateKeyAccount, more: object = {}): Promise<Browser> {
  const { message: _, ...proof } = await challenged(world, account)
  return browserOf(world, await world.call('POST', SIGN_IN, { body: { ...proof, ...more } }))
}

export async function addUser(
  instance: TestInstance,
  account: PrivateKeyAccount,
  role: string,
  name: string = role,
): Promise<string> {
  const body = { address: account.address, name, role }
  return must(await instance.call('POST', USERS, { body })).body.data.userId
}
