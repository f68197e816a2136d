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

export class EngineMissingError extends Error {
  override name = 'EngineMissingError'

  constructor(engine: string, madeIn: string | undefined) {
    super(
      madeIn === undefined
        ? `The chain node ${engine} is not installed for this platform (${process.platform} ${process.arch}): run "npm install" with optional dependencies.`
        : `The chain in ${madeIn} was made by ${engine}, which is not installed for this platform (${process.platform} ${process.arch}): start over with "npm start -- --fresh", or go on where it was made.`,
    )
  }
}

export class EngineMismatchError extends Error {
  override name = 'EngineMismatchError'

  constructor(folder: string, made: string, wanted: string) {
    super(
      `The chain in ${folder} was made by ${made} and cannot go on in ${wanted}: set CHAIN_NODE=${made}, or start over with "npm start -- --fresh".`,
    )
  }
}
