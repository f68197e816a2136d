import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCall } from './scaffold/contract-abi.ts'
import { addOperation, addToFace, renderTest, renderWrite } from './scaffold/lending-write.ts'
import { namesOf } from './scaffold/names.ts'
import { repositoryRoot } from './support/repository.ts'
import { installedTool, runCommand } from './support/run-command.ts'

// The four files of a new write, from the ABI of what it calls: `npm run new -- lending rates pokeSnapshot market.pokeSnapshot Snapshot`.
const [feature, resource, operation, target, eventName] = process.argv.slice(2)

async function make(): Promise<void> {
  if (!feature || !resource || !operation || !target || !eventName)
    throw new Error('Say: npm run new -- lending <resource> <operation> <contract>.<function> <Event>')
  const names = namesOf(feature, resource, operation)
  const call = findCall(target, eventName)
  const wire = `packages/wire/src/lending/${resource}.operations.ts`
  const folder = `apps/server/src/lending/${resource}`
  const face = `${folder}/index.ts`
  for (const path of [wire, face])
    if (!existsSync(join(repositoryRoot, path))) throw new Error(`${path} does not exist: a resource begins by hand.`)
  const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
  const listed = addToFace(read(face), names)
  if (!listed) throw new Error(`${face} has no list of routes that a write could be added to.`)
  const files = {
    [wire]: addOperation(read(wire), names, call),
    [`${folder}/${names.stem}.write.ts`]: renderWrite(names, call),
    [face]: listed,
    [`${folder}/${names.stem}.route.test.ts`]: renderTest(names, call),
  }
  for (const path of Object.keys(files))
    if (path !== wire && path !== face && existsSync(join(repositoryRoot, path))) throw new Error(`${path} exists.`)
  for (const [path, text] of Object.entries(files)) writeFileSync(join(repositoryRoot, path), text)
  const { exitCode, output } = await runCommand(installedTool('biome'), ['check', '--write', ...Object.keys(files)])
  if (exitCode !== 0) throw new Error(output)
  console.log(
    `${Object.keys(files).join('\n')}\nNow: what it refuses, its texts, its tests; then npm run sdk and npm run generate.`,
  )
}

try {
  await make()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
