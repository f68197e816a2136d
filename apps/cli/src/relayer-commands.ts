import { createRelayerOperator, type KeyRequest } from '@tallystick/server/operator'
import { type Config, ConfigError, relayerKeysOf, systemClock } from '@tallystick/server/platform'
import type { Command } from 'commander'
import { print } from './print.ts'
import { withSession } from './session.ts'

interface SetOptions {
  readonly keystore?: string
  readonly passwordFile?: string
  readonly remote?: string
  readonly address?: string
  readonly abandon: boolean
}

function requestOf({ keystore, passwordFile, remote, address }: SetOptions): KeyRequest {
  if (keystore !== undefined && remote === undefined && address === undefined)
    return { keystoreFile: keystore, passwordFile: passwordFile ?? null }
  if (remote !== undefined && address !== undefined && keystore === undefined && passwordFile === undefined)
    return { remoteUrl: remote, address }
  throw new ConfigError('A relayer signs with --keystore <file>, or with --remote <url> and --address <address>.')
}

export function addRelayerCommands(program: Command, readConfig: () => Config): void {
  const run = (
    work: (operator: ReturnType<typeof createRelayerOperator>) => Promise<unknown>,
    use: 'to read' | 'to change' = 'to change',
  ) =>
    withSession(readConfig(), async ({ config, database, prepare }) => {
      await prepare(use)
      print(await work(createRelayerOperator(database, { clock: systemClock, keys: relayerKeysOf(config) })))
    })

  const abandon = [
    '--abandon',
    'although transactions are not mined yet: they are sent, but never replaced',
    false,
  ] as const
  const relayer = program.command('relayer').description('The account that signs and submits for an instance')
  relayer
    .command('set <instanceId>')
    .description('Set up the relayer of an instance, or give it another key; never over HTTP')
    .option('--keystore <file>', 'name of an encrypted keystore in RELAYER_KEYSTORE_DIR')
    .option('--password-file <file>', 'name of its password file there; RELAYER_PASSWORD_FILE otherwise')
    .option('--remote <url>', 'a signer that speaks JSON-RPC eth_signTransaction')
    .option('--address <address>', 'the account that the signer signs for')
    .option(...abandon)
    .action((instanceId: string, options: SetOptions) => {
      const request = requestOf(options)
      return run((operator) => operator.set(instanceId, request, options.abandon))
    })
  relayer
    .command('show <instanceId>')
    .description('The relayer of an instance, and where its key is')
    .action((instanceId: string) => run((operator) => operator.show(instanceId), 'to read'))
  relayer
    .command('remove <instanceId>')
    .description('Take the relayer of an instance away; its history stays')
    .option(...abandon)
    .action((instanceId: string, options: { abandon: boolean }) =>
      run((operator) => operator.remove(instanceId, options.abandon)),
    )
}
