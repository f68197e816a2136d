export {
  type DevelopmentCall,
  type DevelopmentRole,
  type DevelopmentRoles,
  developmentRoutes,
} from './routes.ts'
