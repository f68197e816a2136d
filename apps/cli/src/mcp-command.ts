import { VERSION } from '@tallystick/server/operator'
import { features } from '@tallystick/wire'
import type { Command } from 'commander'
import { serveMcp } from './mcp/serve.ts'

/** Where the service is and the key to it: never an argument, which every process of the machine could read. */
export type Environment = Readonly<Record<string, string | undefined>>

function featuresFrom(words: string): string[] {
  const wanted = words.split(',').map((word) => word.trim())
  const unknown = wanted.filter((word) => !(features as readonly string[]).includes(word))
  if (unknown.length > 0) throw new Error(`No such feature: ${unknown.join(', ')}. There are ${features.join(', ')}.`)
  return wanted
}

export function addMcpCommand(program: Command, environment: Environment): void {
  program
    .command('mcp')
    .description('Serve the reads and builds of a deployment as tools of a model (MCP, on standard input and output)')
    .option('--url <url>', 'where the service answers', environment.TALLY_URL ?? 'http://127.0.0.1:8080')
    .option('--features <list>', `only these, parted by commas: ${features.join(', ')}`)
    .option('--read-only', 'no tools that build transactions', false)
    .addHelpText(
      'after',
      '\nThe API key is taken from TALLY_API_KEY; its scopes say which tools there are. Nothing is ever signed, sent or confirmed.',
    )
    .action(async ({ url, features: words, readOnly }: { url: string; features?: string; readOnly: boolean }) => {
      const apiKey = environment.TALLY_API_KEY
      if (!apiKey) throw new Error('Set TALLY_API_KEY to the API key of an instance.')
      const chosen = words === undefined ? {} : { features: featuresFrom(words) }
      await serveMcp({ url, apiKey, version: VERSION, readOnly, ...chosen })
    })
}
