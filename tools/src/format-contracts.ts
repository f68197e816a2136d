import { contractsFolder } from './solidity/build.ts'
import { chooseRunner, skippedWithoutForge } from './solidity/choose-runner.ts'
import { runForge } from './solidity/run-forge.ts'

if (chooseRunner() === 'forge') process.exitCode = (await runForge(['fmt'], contractsFolder)).exitCode
else console.log(skippedWithoutForge('forge fmt'))
