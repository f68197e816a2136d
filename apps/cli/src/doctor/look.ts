import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isPortFree } from '@tallystick/embedded'
import type { Config } from '@tallystick/server/platform'
import { createPublicClient, http } from 'viem'
import type { NodeFacts } from './chain.rules.ts'
import type { PortFacts, SecretFile } from './machine.rules.ts'

/** What the library knows of the cause, else its first line; no dot at its end. */
function causeOf(error: unknown): string {
  const { details, message } = error as { details?: string; message?: string }
  return (details || message || String(error)).split('\n')[0]?.replace(/\.$/, '') ?? ''
}

/** Keys of providers stand in paths and user names: only the host is shown. */
const hostOf = (url: string) => new URL(url).host

export async function lookAtNode(url: string, timeoutMs: number): Promise<NodeFacts> {
  const client = createPublicClient({ transport: http(url, { timeout: timeoutMs, retryCount: 0 }) })
  const host = hostOf(url)
  try {
    const [chainId, head] = await Promise.all([client.getChainId(), client.getBlock()])
    const tags = await Promise.allSettled([
      client.getBlock({ blockTag: 'safe' }),
      client.getBlock({ blockTag: 'finalized' }),
    ])
    const hasFinalityTags = tags.every(({ status }) => status === 'fulfilled')
    return { host, chainId, fault: null, head: { number: head.number, time: Number(head.timestamp) }, hasFinalityTags }
  } catch (error) {
    return { host, chainId: null, fault: causeOf(error).replaceAll(url, host), head: null, hasFinalityTags: false }
  }
}

/** The nearest folder that exists: the one in question may be made by the first start. */
function nearest(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearest(dirname(folder))
}

export function lookAtDisk(folder: string): number {
  const { bavail, bsize } = statfsSync(nearest(resolve(folder)))
  return bavail * bsize
}

/** Both ports answer `/readyz` with a status. */
async function isOurs(host: string, port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://${host}:${port}/readyz`, { signal: AbortSignal.timeout(2_000) })
    return typeof ((await answer.json()) as { status?: unknown }).status === 'string'
  } catch {
    // Something else answers there, or nothing that speaks HTTP.
    return false
  }
}

export async function lookAtPorts(config: Config): Promise<PortFacts[]> {
  const wanted = [
    { setting: 'PORT' as const, host: config.HOST, port: config.PORT },
    { setting: 'OPS_PORT' as const, host: config.OPS_HOST, port: config.OPS_PORT ?? 0 },
  ].filter(({ port }) => port !== 0)
  return Promise.all(
    wanted.map(async ({ setting, host, port }) => {
      if (await isPortFree(port)) return { setting, port, held: 'free' as const }
      const asked = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
      return { setting, port, held: (await isOurs(asked, port)) ? ('ours' as const) : ('foreign' as const) }
    }),
  )
}

function modeOf(path: string): SecretFile {
  try {
    return { path, mode: statSync(path).mode }
  } catch {
    // Missing, or not ours to look at: either way nothing can be signed with it.
    return { path, mode: null }
  }
}

/** Everything that could sign or open what signs. */
export function lookAtSecrets({ RELAYER_KEYSTORE_DIR: folder, RELAYER_PASSWORD_FILE: password }: Config): SecretFile[] {
  const files = [
    ...(folder === undefined ? [] : [modeOf(folder)]),
    ...(password === undefined ? [] : [modeOf(password)]),
  ]
  if (folder === undefined || files[0]?.mode === null) return files
  const kept = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return [...files, ...kept.map(({ name }) => modeOf(join(folder, name)))]
}
