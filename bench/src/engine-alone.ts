import { parentPort, workerData } from 'node:worker_threads'
import { createRounds, type Run } from './engine-rivals.ts'

/** A thread with one book in it, which does a round whenever it is told to and says how long each chunk took. */
const round = createRounds(workerData as Run)
parentPort?.on('message', () => parentPort?.postMessage(round()))
