import { createApp } from '../src/app.ts'
import { createLog } from '../src/platform/log.ts'
import { systemRandom } from '../src/platform/random.ts'
import { createAnswerCheck } from './answer-check.ts'
import type { World } from './world.ts'

export interface Replica {
  /** Status and error code of a GET with this key. */
  get(path: string, key: string): Promise<{ status: number; code: string | undefined }>
  post(path: string, request: { key: string; body: object; headers?: Record<string, string> }): Promise<ReplicaAnswer>
  close(): Promise<void>
}

export interface ReplicaAnswer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
  readonly code: string | undefined
}

/** A second server on the same database: it has a memory of its own. */
export async function startReplica(world: World): Promise<Replica> {
  const { clock, database, chains } = world
  const app = createApp({ log: createLog({ level: 'silent' }), clock, random: systemRandom, database, chains })
  await app.ready()
  const check = createAnswerCheck()
  return {
    async get(path, key) {
      const response = await app.inject({ method: 'GET', url: path, headers: { 'x-api-key': key } })
      const body = response.json() as { error?: { code: string } }
      check({ method: 'GET', path }, { status: response.statusCode, type: 'application/json', body })
      return { status: response.statusCode, code: body.error?.code }
    },
    async post(path, { key, body, headers = {} }) {
      const response = await app.inject({
        method: 'POST',
        url: path,
        headers: { 'x-api-key': key, ...headers },
        payload: body,
      })
      const answer = response.json() as { error?: { code: string } }
      check({ method: 'POST', path }, { status: response.statusCode, type: 'application/json', body: answer })
      return { status: response.statusCode, headers: response.headers, text: response.body, code: answer.error?.code }
    },
    close: () => app.close(),
  }
}
