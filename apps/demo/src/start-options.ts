import { parseArgs } from 'node:util'

export interface StartOptions {
  readonly fresh: boolean
  readonly bots: boolean
}

/** Something to say instead of a start. */
export interface NoStart {
  readonly says: string
  readonly exitCode: 0 | 2
}

const HELP = `npm start                starts the whole product with a seeded demo; the next start goes on where it was
npm start -- --fresh     deletes the demo's data first
npm start -- --bots      lets two bots trade on the books

Settings are environment variables, such as PORT and DATA_DIR: docs/configuration.md names them all.
`

/** A word that is not known starts nothing: whoever misspells --fresh should not go on with the old data and believe otherwise. */
export function readStartOptions(args: readonly string[]): StartOptions | NoStart {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        fresh: { type: 'boolean', default: false },
        bots: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values.help ? { says: HELP, exitCode: 0 } : { fresh: values.fresh, bots: values.bots }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('.')[0] : String(error)
    return { says: `tallystick: ${why}.\n\n${HELP}`, exitCode: 2 }
  }
}
