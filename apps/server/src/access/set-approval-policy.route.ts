import { transactionOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const setApprovalPolicyRoute = ({ policy }: AccessService) =>
  administrativeRoute(transactionOperations.setApprovalPolicy, ({ tenant, caller, body }) =>
    policy.set(tenant, caller, body.secondPerson),
  )
