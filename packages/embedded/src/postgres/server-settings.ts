export interface ServerSettings {
  settings?: Record<string, string>
  durable: boolean
}

const defaults = {
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

const withoutDurability = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  // Passwords that guard nothing are not slow to check.
  scram_iterations: '1',
}

const localOnly = { listen_addresses: '127.0.0.1', unix_socket_directories: '' }

/** The data folder comes first: a later start recognises a server that was left behind by ` -D <folder> `. */
export function commandLine(dataDir: string, port: number, { settings, durable }: ServerSettings): string[] {
  const all = { ...defaults, ...(durable ? {} : withoutDurability), ...settings, ...localOnly }
  return [
    '-D',
    dataDir,
    '-p',
    String(port),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}
