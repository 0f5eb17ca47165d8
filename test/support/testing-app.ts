import type { NestExpressApplication } from '@nestjs/platform-express';
import type { TestingModule } from '@nestjs/testing';
import { createAdapter, OPTIONS, setUp } from '../../src/create-app.js';

/**
 * The application of a testing module, as in production, with the providers that the test overrides:
 *
 *     const testing = await Test.createTestingModule({ imports: [AppModule] }).overrideProvider(Env).useValue(env).compile();
 *     const app = await createTestingApp(testing).init();
 *     await request(app.getHttpServer()).get('/health/live').expect(200);
 */
export function createTestingApp(testing: TestingModule): NestExpressApplication {
  const adapter = createAdapter();
  return setUp(testing.createNestApplication<NestExpressApplication>(adapter, OPTIONS), adapter);
}
