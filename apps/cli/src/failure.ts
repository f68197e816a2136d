import { ArchiveError, BackupError } from '@tallystick/server/operator'
import { AppError } from '@tallystick/server/platform'
import { explainKnownFault, firstLine } from '@tallystick/server/stack'
import { codesOf, operations } from '@tallystick/wire'
import { CommanderError } from 'commander'

function sentenceOf({ code, detail }: AppError): string {
  if (detail !== undefined) return detail
  const table = operations.flatMap(codesOf).find((listed) => listed.code === code)?.table
  return table?.[code]?.message ?? code
}

/** One line for a person: why the command did not do what it was asked to. */
export function explainFailure(error: unknown): string {
  if (error instanceof AppError) return firstLine(sentenceOf(error))
  if (error instanceof BackupError || error instanceof ArchiveError) return firstLine(error.message)
  if (error instanceof CommanderError) return `${firstLine(error.message.replace(/^error: /, ''))} (see --help)`
  const known = explainKnownFault(error)
  if (known !== undefined) return known
  return firstLine(`The command failed: ${(error as Error).message || String(error)}`)
}
