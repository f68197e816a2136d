import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bumped, releasedChangelog, requireNext } from './release/release-rules.ts'
import { listFiles } from './support/repository.ts'
import { runCommand } from './support/run-command.ts'

// `npm run release -- 0.2.0`: versions and changelog in one commit, and a tag on it. Nothing is pushed.
const root = process.cwd()
const [next] = process.argv.slice(2)

async function git(...args: string[]): Promise<string> {
  const { exitCode, output } = await runCommand('git', args, root)
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${output}`)
  return output
}

async function release(): Promise<void> {
  if (!next) throw new Error('Say which version: npm run release -- 0.2.0')
  if ((await git('status', '--porcelain')) !== '') throw new Error('There are changes that are not committed.')
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  requireNext(version, next)
  const changes = new Map([
    ['CHANGELOG.md', releasedChangelog(read('CHANGELOG.md'), next, new Date().toISOString().slice(0, 10))],
  ])
  for (const path of listFiles(root).filter((one) => /(^|\/)package\.json$/.test(one)))
    changes.set(path, bumped(read(path), version, next))
  const [app, stated] = ['apps/server/src/version.ts', `VERSION = '${version}'`]
  if (!read(app).includes(stated)) throw new Error(`${app} does not say ${stated}.`)
  changes.set(app, read(app).replace(stated, `VERSION = '${next}'`))
  for (const [path, text] of changes) writeFileSync(join(root, path), text)
  const { exitCode, output } = await runCommand(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--offline'],
    root,
  )
  if (exitCode !== 0) throw new Error(output)
  await git('commit', '--quiet', '--all', '--message', `chore: release ${next}`)
  await git('tag', '--annotate', `v${next}`, '--message', `Tallystick ${next}`)
  console.log(`v${next} is tagged. Push it with: git push --follow-tags`)
}

try {
  await release()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
