import { type BodyOf, type DataOf, type OrdinaryOperation, type ParamsOf, stocksOperations } from '@tallystick/wire'
import { type Route, route } from '../../platform/http/route.ts'
import * as compliance from './compliance.writes.ts'
import * as control from './control.writes.ts'
import * as roles from './roles.writes.ts'
import * as split from './split.writes.ts'
import * as supply from './supply.writes.ts'
import type { StockWrites } from './write.service.ts'
import type { Signing, StockWrite } from './write.ts'

/** Every write of a stock token, and the endpoint that serves it. */
export function writeRoutes(writes: StockWrites): Route[] {
  function serve<O extends OrdinaryOperation>(
    operation: O,
    choose: StockWrite<BodyOf<O>> | ((body: BodyOf<O>) => StockWrite<BodyOf<O>>),
  ): Route {
    return route<O>(operation, async ({ tenant, params, body, mountedAt }) => {
      const { tokenAddress } = params as ParamsOf<typeof stocksOperations.issueShares>
      const write = (typeof choose === 'function' ? choose(body) : choose) as StockWrite<Signing>
      const call = { tenant, operationId: operation.id, mountedAt, tokenAddress }
      const { data, ...beside } = await writes.perform(call, write, body as Signing)
      return { data: data as DataOf<O>, ...beside }
    })
  }
  const operations = stocksOperations
  return [
    serve(operations.issueShares, supply.issueWrite),
    serve(operations.batchIssueShares, supply.batchIssueWrite),
    serve(operations.redeemShares, supply.redeemWrite),
    serve(operations.splitStock, split.splitWrite),
    serve(operations.continueSplit, split.continueSplitWrite),
    serve(operations.freezeShares, control.freezeWrite),
    serve(operations.unfreezeShares, control.unfreezeWrite),
    serve(operations.forceTransferShares, control.forceTransferWrite),
    serve(operations.releaseSurplus, control.releaseSurplusWrite),
    serve(operations.pauseStock, control.pauseWrite),
    serve(operations.unpauseStock, control.unpauseWrite),
    serve(operations.addController, roles.addControllerWrite),
    serve(operations.removeController, roles.removeControllerWrite),
    serve(operations.addSubIssuer, roles.addSubIssuerWrite),
    serve(operations.removeSubIssuer, roles.removeSubIssuerWrite),
    serve(operations.setSubIssuerCap, roles.subIssuerCapWrite),
    serve(operations.allowSubIssuers, roles.allowSubIssuersWrite),
    serve(operations.addAuthorizedContract, roles.addAuthorizedContractWrite),
    serve(operations.removeAuthorizedContract, roles.removeAuthorizedContractWrite),
    serve(operations.setHoldingLimits, compliance.limitsWrite),
    serve(operations.setLockup, compliance.lockupWrite),
  ]
}
