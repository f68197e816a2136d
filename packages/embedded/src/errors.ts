export class MissingBinaryError extends Error {
  override name = 'MissingBinaryError'

  constructor(program: string, packageName: string) {
    super(
      `The ${program} binary of this platform is not installed: npm package ${packageName} is missing, run "npm install" with optional dependencies on a supported platform.`,
    )
  }
}

export class PortInUseError extends Error {
  override name = 'PortInUseError'
  readonly port: number

  constructor(port: number, program: string) {
    super(`Port ${port} on 127.0.0.1 is taken by another program, so ${program} cannot listen on it.`)
    this.port = port
  }
}

/** The files belong to a database or node whose parent is still running: taking it over would break that parent. */
export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError'
  readonly ownerPid: number

  constructor(program: string, path: string, ownerPid: number) {
    super(`${program} for ${path} is already running and belongs to process ${ownerPid}.`)
    this.ownerPid = ownerPid
  }
}

export class StartFailedError extends Error {
  override name = 'StartFailedError'
}
