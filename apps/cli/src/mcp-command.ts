import { VERSION } from '@tallystick/server/operator'
import { features } from '@tallystick/wire'
import type { Command } from 'commander'
import { isLoopback } from './mcp/callers.rules.ts'
import { serveMcpOverHttp } from './mcp/serve-http.ts'
import { serveMcp } from './mcp/serve-stdio.ts'

/** Where the service is and the key to it: never an argument, which every process of the machine could read. */
export type Environment = Readonly<Record<string, string | undefined>>

interface McpOptions {
  readonly url: string
  readonly features?: string
  readonly readOnly: boolean
  readonly http?: string
  readonly host: string
  readonly allowedHosts?: string
}

const listed = (words: string): string[] => words.split(',').map((word) => word.trim())

function featuresFrom(words: string): string[] {
  const wanted = listed(words)
  const unknown = wanted.filter((word) => !(features as readonly string[]).includes(word))
  if (unknown.length > 0) throw new Error(`No such feature: ${unknown.join(', ')}. There are ${features.join(', ')}.`)
  return wanted
}

function doorFrom({ http = '', host, allowedHosts }: McpOptions) {
  const port = Number(http)
  if (!/^\d+$/.test(http) || port > 65_535) throw new Error(`${http} is not a port.`)
  const names = allowedHosts === undefined ? [] : listed(allowedHosts)
  if (!isLoopback(host) && names.length === 0)
    throw new Error(`${host} is not this machine alone: name with --allowed-hosts the hosts that it is called by.`)
  return { port, host, allowedHosts: names }
}

export function addMcpCommand(program: Command, environment: Environment): void {
  program
    .command('mcp')
    .description('Serve the reads and builds of a deployment as tools of a model (MCP)')
    .option('--url <url>', 'where the service answers', environment.TALLY_URL ?? 'http://127.0.0.1:8080')
    .option('--features <list>', `only these, parted by commas: ${features.join(', ')}`)
    .option('--read-only', 'no tools that build transactions', false)
    .option(
      '--http <port>',
      'streamable HTTP on this port, path /mcp, instead of standard input and output; 0: a free one',
    )
    .option('--host <address>', 'the address that --http listens on', '127.0.0.1')
    .option('--allowed-hosts <list>', 'names besides localhost that --http is called by, as in a Host header')
    .addHelpText(
      'after',
      `
The API key is taken from TALLY_API_KEY; with --http from the Authorization header (Bearer) of each session, and from TALLY_API_KEY only where
none was sent and only on this machine. Its scopes say which tools there are. Nothing is ever signed, sent or confirmed.`,
    )
    .action(async (options: McpOptions) => {
      const apiKey = environment.TALLY_API_KEY
      const chosen = options.features === undefined ? {} : { features: featuresFrom(options.features) }
      const settings = { url: options.url, version: VERSION, readOnly: options.readOnly, ...chosen }
      if (options.http !== undefined) {
        const door = doorFrom(options)
        return serveMcpOverHttp({ ...settings, ...door, ...(apiKey && isLoopback(door.host) ? { apiKey } : {}) })
      }
      if (!apiKey) throw new Error('Set TALLY_API_KEY to the API key of an instance.')
      return serveMcp({ ...settings, apiKey })
    })
}
