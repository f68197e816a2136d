/** Nothing of the caller's environment (PGDATA, PGPORT, LC_ALL, ...) may change how the server behaves. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}
