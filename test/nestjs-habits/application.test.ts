import { Body, Controller, Module, Patch, Post } from '@nestjs/common';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { Type } from 'class-transformer';
import { IsObject, IsString, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { Public } from '../../src/platform/auth/access.decorators.js';
import { Env, loadEnv } from '../../src/platform/config/env.js';
import { createApp } from '../../src/create-app.js';
import { OrganizationsService } from '../../src/organizations/organizations.service.js';
import { environment } from '../support/process.js';
import { useTestServer } from '../support/server.js';
import { createTestingApp } from '../support/testing-app.js';

@Controller('careless')
class CarelessController {
  @Post()
  @Public()
  create(@Body('name') name: string): string {
    return name;
  }
}

@Controller('untyped')
class UntypedController {
  @Post()
  @Public()
  create(@Body() body: object): object {
    return body;
  }
}

class Inner {
  @IsString()
  text!: string;
}

class LooseDto {
  @IsObject()
  @Type(() => Inner)
  inner!: Inner;
}

class VariantDto {
  @ValidateNested()
  @Type(() => Object, { discriminator: { property: 'kind', subTypes: [{ name: 'inner', value: Inner }] } })
  inner!: Inner;
}

class PlainDto {
  @IsString()
  text!: string;

  @ApiProperty()
  tone!: string;
}

class ToneDto extends PartialType(PlainDto) {}

@Controller('tones')
class ToneController {
  @Patch()
  @Public()
  update(@Body() body: ToneDto): object {
    return body;
  }
}

@Controller('loose')
class LooseController {
  @Post()
  @Public()
  create(@Body() body: LooseDto): object {
    return body;
  }
}

@Controller('variant')
class VariantController {
  @Post()
  @Public()
  create(@Body() body: VariantDto): object {
    return body;
  }
}

@Module({ imports: [AppModule], controllers: [LooseController] })
class LooseModule {}

@Module({ imports: [AppModule], controllers: [ToneController] })
class ToneModule {}

@Module({ imports: [AppModule], controllers: [VariantController] })
class VariantModule {}

@Module({ imports: [AppModule], controllers: [CarelessController] })
class FieldByFieldModule {}

@Module({ imports: [AppModule], controllers: [UntypedController] })
class UntypedModule {}

const server = useTestServer();

describe('application', () => {
  it('starts in Test.createTestingModule, with an overridden provider', async () => {
    const env = loadEnv(environment({ LOG_LEVEL: 'silent', DEMO: 'false', ...server.databaseEnv }));
    const testing = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(Env)
      .useValue(env)
      .compile();
    const app = createTestingApp(testing);
    try {
      await app.init();
      expect(app.get(Env)).toBe(env);
      await app.listen(0, '127.0.0.1');
      const base = await app.getUrl();
      const wrong = await fetch(`${base}/v1/projects`, { method: 'PUT', body: '{' });
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
      const denied = await fetch(`${base}/v1/projects`, { method: 'POST', body: '{' });
      expect([denied.status, denied.headers.get('etag')]).toEqual([401, null]);
      expect(denied.headers.get('content-security-policy')).not.toBeNull();
      expect(await app.get(OrganizationsService).create('Ours')).toMatchObject({ name: 'Ours' });
    } finally {
      await app.close();
    }
  });

  it('refuses to start with createNestApplication(), and names the replacement', async () => {
    const env = loadEnv(environment({ LOG_LEVEL: 'silent', DEMO: 'false', ...server.databaseEnv }));
    const testing = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(Env)
      .useValue(env)
      .compile();
    const app = testing.createNestApplication({ logger: false });
    try {
      await expect(app.init()).rejects.toThrow(
        /createTestingApp\(testing\) of test\/support\/testing-app\.ts/,
      );
    } finally {
      await app.close();
    }
  });

  it('uses the given environment and leaves process.env unchanged', async () => {
    const before = { ...process.env };
    const app = await createApp(
      environment({ LOG_LEVEL: 'silent', DEMO: 'false', RATE_LIMIT: '7', ...server.databaseEnv }),
    );
    try {
      expect(app.get(Env)).toMatchObject({ RATE_LIMIT: 7, DEMO: false });
      expect(process.env).toEqual(before);
    } finally {
      await app.close();
    }
    await expect(createApp({ EMBEDDED: 'true', PORT: '-1' })).rejects.toThrow('PORT must be');
  });

  it.each([
    [FieldByFieldModule, 'CarelessController.create: take the body as one DTO class', false],
    [LooseModule, 'LooseController.create: LooseDto.inner: add @ValidateNested()', true],
    [ToneModule, 'ToneController.update: ToneDto.tone: add a validator', true],
    [VariantModule, 'VariantController.create: VariantDto.inner: discriminators', true],
    [UntypedModule, 'UntypedController.create: import its DTO class as a value', false],
  ])('refuses to start with an unvalidated handler: %o', async (module, message, isCaused) => {
    const app = await createApp(
      environment({ LOG_LEVEL: 'silent', DEMO: 'false', ...server.databaseEnv }),
      module,
    );
    try {
      const starting = app.init();
      await expect(starting).rejects.toThrow(message);
      await expect(starting.catch(({ cause }: Error) => cause instanceof Error)).resolves.toBe(isCaused);
    } finally {
      await app.close();
    }
  });
});
