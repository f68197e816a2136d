import { resolve } from 'node:path'
import { createArchives, verifyArchive } from '@tallystick/server/operator'
import { type Config, ConfigError, systemClock, systemRandom } from '@tallystick/server/platform'
import type { Command } from 'commander'
import { type ListingOptions, listing, print, printRows, wantsTable } from './print.ts'
import { type Session, withSession } from './session.ts'
import { column, tableOf } from './table.ts'

const DAY_MS = 86_400_000

const archivesOf = ({ database }: Session) => createArchives({ database, clock: systemClock, random: systemRandom })

function daysOf(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new ConfigError('--older-than must be a whole number of days, 1 or more.')
  return Number(text)
}

type Verified = Awaited<ReturnType<typeof verifyArchive>> & { readonly file: string; readonly isRecorded?: boolean }

/** For people: from which head to which each journal leads. */
function show(verified: Verified, options: ListingOptions): void {
  if (!wantsTable(options)) {
    print(verified)
    return
  }
  const rows = verified.units.map(({ unitId, before, after }) => ({
    ...{ unitId, first: before.number + 1, last: after.number, before: before.hash, after: after.hash },
  }))
  const columns = [
    column<(typeof rows)[number]>('UNIT', 'unitId'),
    column<(typeof rows)[number]>('FIRST', 'first'),
    column<(typeof rows)[number]>('LAST', 'last'),
    column<(typeof rows)[number]>('HEAD BEFORE', 'before'),
    column<(typeof rows)[number]>('HEAD AFTER', 'after'),
  ]
  process.stdout.write(tableOf(rows, columns))
}

export function addArchiveCommands(program: Command, readConfig: () => Config): void {
  const archive = program
    .command('archive')
    .description('Old entries of the journals, in files instead of the database')

  archive
    .command('write <folder>')
    .description('Write what is old enough into a new file, read it back, and delete it from the database')
    .option('--older-than <days>', 'instead of ARCHIVE_AFTER_DAYS')
    .action((folder: string, { olderThan }: { olderThan?: string }) => {
      const config = readConfig()
      const days = olderThan === undefined ? config.ARCHIVE_AFTER_DAYS : daysOf(olderThan)
      return withSession(config, async (session) => {
        await session.prepare('to change')
        const before = new Date(systemClock.now().getTime() - days * DAY_MS)
        const written = await archivesOf(session).write(resolve(folder), before)
        print(written ?? { file: null, olderThan: before.toISOString(), rows: 0 })
      })
    })

  listing(
    archive
      .command('verify <file>')
      .description('Check every entry of an archive against its hash chain; needs no database')
      .option('--database', 'also that it is the one on record, and that the journals go on from it', false),
  ).action(async (file: string, { database, ...options }: { database: boolean } & ListingOptions) => {
    if (!database) {
      show({ file, ...(await verifyArchive(file)) }, options)
      return
    }
    await withSession(readConfig(), async (session) => {
      await session.prepare('to read')
      const { archive: verified, isRecorded } = await archivesOf(session).compare(file)
      show({ file, isRecorded, ...verified }, options)
      if (!isRecorded) process.exitCode = 1
    })
  })

  listing(archive.command('list').description('Every archive on record')).action((options: ListingOptions) =>
    withSession(readConfig(), async (session) => {
      await session.prepare('to read')
      const rows = await archivesOf(session).list()
      printRows(
        rows.map((row) => ({
          ...row,
          rows: row.rows.toString(),
          olderThan: row.olderThan.toISOString(),
          createdAt: row.createdAt.toISOString(),
        })),
        [column('FILE', 'file'), column('OLDER THAN', 'olderThan'), column('ROWS', 'rows'), column('SHA256', 'sha256')],
        options,
        'Nothing was archived.',
      )
    }),
  )
}
