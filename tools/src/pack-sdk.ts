import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './support/repository.ts'
import { type CommandResult, runCommand } from './support/run-command.ts'

// In this repository nothing is built; whoever installs the client from elsewhere gets it as JavaScript with declarations.
const source = join(repositoryRoot, 'packages/sdk')
const target = join(process.argv[2] ?? join(repositoryRoot, 'var'), 'sdk')
const config = join(target, 'tsconfig.json')

function stopAt({ exitCode, output }: CommandResult): string {
  if (exitCode === 0) return output
  console.error(output)
  process.exit(1)
}

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
writeFileSync(
  config,
  JSON.stringify({
    extends: join(repositoryRoot, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, incremental: false, declaration: true, rewriteRelativeImportExtensions: true },
      ...{ rootDir: join(source, 'src'), outDir: join(target, 'dist') },
      typeRoots: [join(repositoryRoot, 'node_modules/@types')],
    },
    files: [join(source, 'src/index.ts')],
    include: [],
  }),
)
stopAt(await runCommand(join(repositoryRoot, 'node_modules/typescript/bin/tsc'), ['-p', config]))
rmSync(config)
const {
  private: _private,
  devDependencies: _forTests,
  exports: _exports,
  ...manifest
} = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
const engines = { node: '>=20.19' }
writeFileSync(
  join(target, 'package.json'),
  `${JSON.stringify({ ...manifest, engines, exports, files: ['dist'], sideEffects: false }, null, 2)}\n`,
)
copyFileSync(join(repositoryRoot, 'docs/sdk.md'), join(target, 'README.md'))
copyFileSync(join(repositoryRoot, 'LICENSE'), join(target, 'LICENSE'))
const [packed] = JSON.parse(
  stopAt(await runCommand('npm', ['pack', '--json', '--silent', '--pack-destination', '..'], target)),
)
console.log(`${target}: publish it with npm publish`)
console.log(`${join(target, '..', packed.filename)}: install it with npm install`)
