import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../../../tools/src/support/repository.ts'
import type { ServedDocument } from './served-document.ts'

/** As a program of somebody else: nothing of this repository's configuration. */
const COMPILER_OPTIONS = { strict: true, target: 'es2022', module: 'nodenext', outDir: 'out', rootDir: '.' }

/** With the types of openapi-typescript and fetch as it is. */
const TYPED_FETCH = `import type { paths } from './types.js'
type ListKeys = paths['/access/api/keys']['get']['responses']
type Success = ListKeys[200]['content']['application/json']
type Refusal = ListKeys[401]['content']['application/json']
const [, , baseUrl, apiKey] = process.argv as string[]
const call = (key: string) => fetch(\`\${baseUrl}/access/api/keys\`, { headers: { 'X-API-Key': key } })
const answer = (await (await call(apiKey as string)).json()) as Success
const refusal = (await (await call('wrong')).json()) as Refusal
const code: 'AUTH_REQUIRED' | 'AUTH_FAILED' = refusal.error.code
console.log(JSON.stringify({ names: answer.data.map((key) => key.name), code }))
`

/** With the client of Hey API. */
const HEY_CLIENT = `import { createClient, createConfig } from './hey/client/index.js'
import { listKeys } from './hey/index.js'
const [, , baseUrl, apiKey] = process.argv as string[]
const client = createClient(createConfig({ baseUrl: baseUrl as string }))
const answer = await listKeys({ client, auth: apiKey as string })
const refusal = await listKeys({ client, auth: 'wrong' })
console.log(JSON.stringify({ names: answer.data?.data.map((key) => key.name), code: refusal.error?.error.code }))
`

export interface GeneratedClients {
  /** What the programs answered, each over a connection of its own. */
  readonly answers: readonly unknown[]
}

/** Both clients from the served document, compiled by plain `tsc --strict`, each with one program that calls the service. */
export async function generateClients(document: ServedDocument): Promise<GeneratedClients> {
  const { file, baseUrl, instance, run, write } = document
  write('input.json', readFileSync(file, 'utf8'))
  const hey = {
    ...{ input: join(document.folder, 'input.json'), logs: { level: 'silent', file: false } },
    output: { path: join(document.folder, 'hey'), importFileExtension: '.js' },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  }
  write('package.json', '{ "type": "module" }')
  write('openapi-ts.config.mjs', `export default ${JSON.stringify(hey)}`)
  write('typed-fetch.ts', TYPED_FETCH)
  write('hey-client.ts', HEY_CLIENT)
  write('process.d.ts', 'declare const process: { argv: string[] }')
  const options = { ...COMPILER_OPTIONS, types: [] }
  write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: options, files: ['process.d.ts', 'typed-fetch.ts', 'hey-client.ts'] }),
  )
  await run('openapi-typescript', 'input.json', '--output', 'types.d.ts')
  await run('openapi-ts', '--file', 'openapi-ts.config.mjs')
  await run('node', join(repositoryRoot, 'node_modules/typescript7/bin/tsc'), '--project', 'tsconfig.json')
  const programs = ['out/typed-fetch.js', 'out/hey-client.js']
  const said = await Promise.all(programs.map((program) => run('node', program, baseUrl, instance.apiKey)))
  return { answers: said.map((text) => JSON.parse(text)) }
}
