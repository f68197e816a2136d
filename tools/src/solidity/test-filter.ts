import { parseArgs } from 'node:util'

/** What forge's options of the same names choose. */
export type TestFilter = { path?: RegExp; contract?: RegExp; test?: RegExp }

/** Reads the options that both runners know; any other one is for forge alone, and refused here. */
export function parseTestFilter(args: readonly string[]): TestFilter {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'match-path': { type: 'string' },
      'match-contract': { type: 'string' },
      'match-test': { type: 'string' },
    },
  })
  const pattern = (text: string | undefined, name: string) => (text === undefined ? {} : { [name]: new RegExp(text) })
  return {
    ...(values['match-path'] === undefined ? {} : { path: globPattern(values['match-path']) }),
    ...pattern(values['match-contract'], 'contract'),
    ...pattern(values['match-test'], 'test'),
  }
}

/** A star stands for anything, folders too, as it does for forge. */
function globPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\*+/g, '.*').replace(/\?/g, '.')}$`)
}
