import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from '@tallystick/testkit'
import { sendUntilAnswered } from './http.ts'
import type { InstanceModel, TokenModel, Violations, Write } from './ledger.ts'

const MOST_OPEN_KEYS = 6

interface Step extends Omit<Write, 'idempotencyKey'> {
  /** Takes the acknowledgement into the model. */
  accept(data: Record<string, string>): void
}

export interface Client {
  /** Resolves when no write is under way; none begins until `resume`. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
  readonly attempts: () => number
}

/** Writes on one instance, one write after the other, so that it always knows what the instance must hold. */
export function startClient(parts: {
  readonly name: string
  readonly model: InstanceModel
  readonly apiUrls: readonly string[]
  readonly random: SeededRandom
  readonly violations: Violations
}): Client {
  const { name, model, apiUrls, random, violations } = parts
  let stopped = false
  let paused: { resolve(): void } | undefined
  let attempts = 0
  let count = 0

  async function writeOnce(): Promise<void> {
    const tag = `${name}-${++count}`
    const { accept, ...request } = chooseStep(model, tag, random)
    const write = { ...request, idempotencyKey: `soak-${tag}` }
    const sent = await sendUntilAnswered(apiUrls, model.apiKey, write, random)
    attempts += sent.attempts
    if (sent.answer.status !== 200) {
      // A client that waits for each answer never asks for something that its instance would refuse.
      violations.other.push(`${tag} ${write.method} ${write.path} was refused: ${sent.answer.text}`)
      return
    }
    model.acknowledged.push({ ...write, apiKey: model.apiKey, answerSha256: sent.answer.sha256 })
    accept((JSON.parse(sent.answer.text) as { data: Record<string, string> }).data)
  }

  async function run(): Promise<void> {
    while (!stopped) {
      if (paused) {
        paused.resolve()
        await sleep(10)
        continue
      }
      try {
        await writeOnce()
      } catch (error) {
        violations.other.push((error as Error).message)
      }
      await sleep(random.integer(0, 30))
    }
  }

  const running = run()
  return {
    pause: () =>
      new Promise((resolve) => {
        paused = { resolve }
      }),
    resume() {
      paused = undefined
    },
    async stop() {
      stopped = true
      await running
    },
    attempts: () => attempts,
  }
}

function chooseStep(model: InstanceModel, tag: string, random: SeededRandom): Step {
  if (random.chance(0.3)) return keyStep(model, tag, random)
  const [address, token] = random.pick([...model.tokens])
  return token.active ? tokenStep(address, token, tag, random) : importStep(address, token)
}

function keyStep(model: InstanceModel, tag: string, random: SeededRandom): Step {
  const open = [...model.keys.values()].filter(({ revoked }) => !revoked)
  if (open.length >= MOST_OPEN_KEYS || (open.length > 0 && random.chance(0.4))) {
    const key = random.pick(open)
    return {
      method: 'DELETE',
      path: `/access/api/keys/${key.keyId}`,
      body: undefined,
      accept: () => {
        key.revoked = true
      },
    }
  }
  return {
    method: 'POST',
    path: '/access/api/keys',
    body: { name: tag, scopes: ['tokens:read'] },
    accept: ({ keyId = '' }) => model.keys.set(tag, { keyId, revoked: false }),
  }
}

function importStep(address: string, token: TokenModel): Step {
  return {
    method: 'POST',
    path: '/external-tokens/api/import',
    body: { tokenAddress: address, assetType: 'BOND' },
    accept: () =>
      Object.assign(token, { imports: token.imports + 1, active: true, profileSector: null, imageURI: null }),
  }
}

function tokenStep(address: string, token: TokenModel, tag: string, random: SeededRandom): Step {
  const path = `/external-tokens/api/${address}`
  const choice = random.integer(1, 10)
  if (choice <= 2)
    return {
      method: 'DELETE',
      path,
      body: undefined,
      accept: () => Object.assign(token, { active: false, profileSector: null, imageURI: null }),
    }
  if (choice <= 6)
    return {
      method: 'PUT',
      path: `${path}/profile`,
      body: { profile: { issuerName: 'Soak GmbH', sector: tag } },
      accept: () => Object.assign(token, { profileSector: tag }),
    }
  const imageURI = `https://soak.example/${tag}.png`
  return {
    method: 'PUT',
    path: `${path}/image`,
    body: { imageURI },
    accept: () => Object.assign(token, { imageURI }),
  }
}
