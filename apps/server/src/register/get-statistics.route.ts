import { registerOperations } from '@tallystick/wire'
import { sharedRoute } from '../platform/http/route.ts'
import type { RegisterService } from './register.service.ts'

export const getStatisticsRoute = (register: RegisterService) =>
  sharedRoute(registerOperations.getStatistics, ({ rows }) => register.statistics(rows))
