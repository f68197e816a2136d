import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isPortFree } from '@tallystick/embedded'
import { type Program, runCommand } from './program.ts'

export interface RedisServer {
  readonly url: string
  /** Ends it, and all it knew with it. */
  kill(): Promise<void>
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>
  /** It keeps its connections and says nothing. */
  hang(): void
  wakeUp(): void
}

/** Debian's Redis, in memory only. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  let program: Program | undefined

  async function start(): Promise<void> {
    const options = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no', dir: '/tmp' }
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const started = runCommand('redis-server', args)
    program = started
    const ended = started.ended.then(() => Promise.reject(new Error(`redis-server ended: ${started.stdout()}`)))
    ended.catch(() => {})
    while (await isPortFree(port)) await Promise.race([sleep(20), ended])
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: async () => program?.kill9(),
    start,
    hang: () => program?.signal('SIGSTOP'),
    wakeUp: () => program?.signal('SIGCONT'),
  }
}
