import { createOperatorService, listAllActs, type OperatorService } from '@tallystick/server/operator'
import { type Config, ConfigError, systemClock, systemRandom } from '@tallystick/server/platform'
import { type Scope, type Service, scopes, services } from '@tallystick/wire'
import type { Command } from 'commander'
import { type ListingOptions, listing, print, printRows } from './print.ts'
import { withSession } from './session.ts'
import { column } from './table.ts'

type Rows<Name extends 'listInstances' | 'listKeys'> = Awaited<ReturnType<OperatorService[Name]>>[number]
type InstanceRow = Rows<'listInstances'>
type KeyRow = Rows<'listKeys'>
type ActRow = Awaited<ReturnType<typeof listAllActs>>[number]

const instanceColumns = [
  column<InstanceRow>('INSTANCE', 'instanceId'),
  column<InstanceRow>('NAME', 'name'),
  column<InstanceRow>('CHAIN', 'chainId'),
  column<InstanceRow>('ENVIRONMENT', 'environment'),
  column<InstanceRow>('STATUS', 'status'),
  column<InstanceRow>('LENDER', 'lenderApproved'),
  column<InstanceRow>('SERVICES', 'services'),
]
const keyColumns = [
  column<KeyRow>('KEY', 'keyId'),
  column<KeyRow>('NAME', 'name'),
  column<KeyRow>('STATUS', 'status'),
  column<KeyRow>('PER MINUTE', 'rateLimitPerMinute'),
  column<KeyRow>('CREATED', 'createdAt'),
  column<KeyRow>('EXPIRES', 'expiresAt'),
  column<KeyRow>('SCOPES', 'scopes'),
]
const actColumns = [
  column<ActRow>('AT', 'actedAt'),
  column<ActRow>('OPERATION', 'operation'),
  column<ActRow>('SUBJECT', 'subject'),
  { title: 'BY', text: ({ actor, osUser, keyName }: ActRow) => `${actor} ${keyName ?? osUser ?? '-'}` },
  column<ActRow>('INSTANCE', 'instanceId'),
]

function list<T extends string>(known: readonly T[], what: string) {
  return (text: string): T[] => {
    const wanted = text.split(',').map((part) => part.trim())
    const unknown = wanted.filter((part) => !known.includes(part as T))
    if (unknown.length > 0) throw new ConfigError(`Unknown ${what}: ${unknown.join(', ')}. Known: ${known.join(', ')}.`)
    return wanted as T[]
  }
}

function positive(what: string, mostDigits: number) {
  return (text: string): number => {
    if (!/^[1-9]\d*$/.test(text) || text.length > mostDigits)
      throw new ConfigError(`${what} is a positive whole number, but this is "${text}".`)
    return Number(text)
  }
}

function requireName(name: string): string {
  if (name.length < 1 || name.length > 100) throw new ConfigError('A name has 1 to 100 characters.')
  return name
}

async function requireInstance(operator: OperatorService, instanceId: string): Promise<void> {
  const known = await operator.listInstances()
  if (!known.some((instance) => instance.instanceId === instanceId.toLowerCase()))
    throw new ConfigError(`There is no instance ${instanceId}.`)
}

export function addAccessCommands(program: Command, readConfig: () => Config): void {
  const run = (work: (operator: OperatorService) => Promise<unknown>, use: 'to read' | 'to change' = 'to change') =>
    withSession(readConfig(), async ({ database, prepare }) => {
      await prepare(use)
      const answer = await work(createOperatorService(database, { clock: systemClock, random: systemRandom }))
      if (answer !== undefined) print(answer)
    })

  const instances = program.command('instances').description('Tenants of this deployment')
  instances
    .command('create <name>')
    .description('Create an instance; answers its first API key, shown only now')
    .requiredOption('--chain <id>', 'chain that the instance is bound to', positive('A chain id', 15))
    .option('--production', 'a production instance; a development one otherwise', false)
    .option('--services <names>', `comma-separated: ${services.join(', ')}`, list<Service>(services, 'service'), [
      ...services,
    ])
    .action((name: string, options: { chain: number; production: boolean; services: Service[] }) =>
      run((operator) =>
        operator.createInstance({
          name: requireName(name),
          chainId: options.chain,
          environment: options.production ? 'PRODUCTION' : 'DEVELOPMENT',
          services: options.services,
        }),
      ),
    )
  listing(instances.command('list').description('All instances')).action((options: ListingOptions) =>
    run(
      async (operator) =>
        printRows(await operator.listInstances(), instanceColumns, options, 'There is no instance yet.'),
      'to read',
    ),
  )
  instances
    .command('archive <instanceId>')
    .description('Close an instance; all its keys fail from now on')
    .action((id: string) =>
      run(async (operator) => {
        await operator.archiveInstance(id)
        return { instanceId: id, status: 'ARCHIVED' }
      }),
    )
  instances
    .command('services <instanceId> <names>')
    .description('Set the services of an instance, comma-separated')
    .action((id: string, names: string) =>
      run(async (operator) => {
        const wanted = list<Service>(services, 'service')(names)
        await operator.setServices(id, wanted)
        return { instanceId: id, services: wanted }
      }),
    )

  const keys = program.command('keys').description('API keys of an instance')
  keys
    .command('create <instanceId>')
    .description('Create a key; it is shown only now')
    .option('--name <name>', 'what the key is for', 'operator-made')
    .option('--scopes <names>', 'comma-separated', list<Scope>(scopes, 'scope'), [...scopes])
    .option('--rate-limit <n>', 'requests per minute', positive('A rate limit', 6))
    .action((id: string, options: { name: string; scopes: Scope[]; rateLimit?: number }) =>
      run(async (operator) => {
        await requireInstance(operator, id)
        return operator.createKey(id, {
          name: requireName(options.name),
          scopes: options.scopes,
          ...(options.rateLimit === undefined ? {} : { rateLimitPerMinute: options.rateLimit }),
        })
      }),
    )
  listing(keys.command('list <instanceId>').description('All keys, without their secrets')).action(
    (id: string, options: ListingOptions) =>
      run(async (operator) => {
        await requireInstance(operator, id)
        printRows(await operator.listKeys(id), keyColumns, options, 'The instance has no key.')
      }, 'to read'),
  )
  keys
    .command('rotate <instanceId> <keyId>')
    .description('Issue a successor; the old key works for 7 more days')
    .action((id: string, keyId: string) =>
      run(async (operator) => {
        await requireInstance(operator, id)
        return operator.rotateKey(id, keyId)
      }),
    )
  keys
    .command('revoke <instanceId> <keyId>')
    .description('Revoke a key at once')
    .action((id: string, keyId: string) =>
      run(async (operator) => {
        await requireInstance(operator, id)
        return operator.revokeKey(id, keyId)
      }),
    )

  program
    .command('register-keys')
    .description('Keys for the register of regulated entities')
    .command('create <name>')
    .description('Create a key for the register; it is shown only now')
    .action((name: string) => run((operator) => operator.createRegisterKey(requireName(name))))

  listing(program.command('audit').description('The audit log, newest first: who administered what, and when'))
    .option('--instance <id>', 'only acts upon this instance')
    .option('--limit <n>', 'how many', positive('A limit', 6), 100)
    .action(({ instance, limit, ...options }: ListingOptions & { instance?: string; limit: number }) =>
      withSession(readConfig(), async ({ database, prepare }) => {
        await prepare('to read')
        if (instance !== undefined)
          await requireInstance(createOperatorService(database, { clock: systemClock, random: systemRandom }), instance)
        const acts = await listAllActs(database, { instanceId: instance ?? null, limit })
        printRows(acts, actColumns, options, 'Nothing was administered yet.')
      }),
    )

  program
    .command('lenders')
    .description('Instances approved as lenders')
    .command('approve <instanceId>')
    .description('Let an instance take over open markets, or no longer')
    .option('--withdraw', 'take the approval back', false)
    .action((id: string, { withdraw }: { withdraw: boolean }) =>
      run(async (operator) => {
        await operator.approveLender(id, !withdraw)
        return { instanceId: id, lenderApproved: !withdraw }
      }),
    )
}
