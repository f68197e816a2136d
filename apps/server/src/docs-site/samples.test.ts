import { execFileSync } from 'node:child_process'
import { defineOperation } from '@tallystick/wire'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { curlSample, typescriptSample } from './samples.ts'

const leg = { data: Type.Object({}), errors: {} }
const about = { id: 'rename', feature: 'access', scope: 'access:write', summary: 's' } as const
const write = defineOperation({
  ...{ ...about, method: 'POST', path: '/keys/{keyId}/name', body: Type.Object({ name: Type.String() }) },
  legs: { write: leg },
})
const example = { path: '/keys/7/name?dry=true', body: { name: `Anna's` } }

describe('the samples of an operation', () => {
  it('are a command that a shell reads as it was meant', () => {
    const command = curlSample(write, example).replace('curl', `printf '%s\\n'`).replace('$(uuidgen)', 'some-key')
    const words = execFileSync('sh', ['-c', command], { env: { URL: 'http://x', KEY: 'k' }, encoding: 'utf8' })
    expect(words.trim().split('\n')).toEqual([
      ...['-s', '-X', 'POST', 'http://x/keys/7/name?dry=true', '-H', 'X-API-Key: k', '-H', 'Idempotency-Key: some-key'],
      ...['-H', 'Content-Type: application/json', '-d', `{"name":"Anna's"}`],
    ])
  })

  it('are a call of the client, with parameters where they belong', () => {
    expect(typescriptSample(write, example)).toBe(
      `const { data } = await tally.access.rename({ params: { keyId: '7' }, query: { dry: 'true' }, body: { name: "Anna's" } })`,
    )
  })

  it('sign a write on chain, and follow a stream', () => {
    const onChain = defineOperation({ ...about, method: 'POST', path: '/x', legs: { build: leg, confirm: leg } })
    expect(typescriptSample(onChain, { path: '/x' })).toBe(
      'const { confirmed } = await signAndConfirm(tally.access.rename, {}, wallet)',
    )
    const stream = defineOperation({
      ...about,
      id: 'streamBook',
      method: 'GET',
      path: '/x',
      stream: true,
      legs: { read: leg },
    })
    expect(typescriptSample(stream, { path: '/x' })).toContain('of followBook(tally.access.streamBook, {})')
    expect(curlSample(stream, { path: '/x' })).toContain('curl -sN "$URL/x"')
  })
})
