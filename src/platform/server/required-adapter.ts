import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServerExpressAdapter } from './express-adapter.js';

/** Refuses to start an application without this server's limits, headers and error responses. */
@Injectable()
export class RequiredAdapter implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const { httpAdapter } = this.host;
    if (httpAdapter && !(httpAdapter instanceof ServerExpressAdapter))
      throw new Error(
        'Create the application with createApp of src/create-app.ts. In tests, use useTestServer() of test/support/server.ts, or createTestingApp(testing) of test/support/testing-app.ts instead of testing.createNestApplication()',
      );
  }
}
