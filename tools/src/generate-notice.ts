import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPackages } from './build/built-packages.ts'
import { repositoryRoot } from './support/repository.ts'

writeFileSync(join(repositoryRoot, 'NOTICE'), (await builtPackages()).notice)
