import {
  type ArgumentMetadata,
  BadGatewayException,
  BadRequestException,
  Body,
  type CallHandler,
  type CanActivate,
  ConflictException,
  Controller,
  DefaultValuePipe,
  type ExecutionContext,
  ForbiddenException,
  Get,
  GoneException,
  Headers,
  HttpException,
  ImATeapotException,
  Injectable,
  InternalServerErrorException,
  Module,
  type NestInterceptor,
  NotFoundException,
  Param,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  type PipeTransform,
  Post,
  Query,
  Req,
  Res,
  ServiceUnavailableException,
  UnauthorizedException,
  UnprocessableEntityException,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsBoolean,
  IsByteLength,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  NotContains,
  ValidateNested,
} from 'class-validator';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import {
  Column,
  Entity,
  PrimaryColumn,
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  Repository,
} from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { Public } from '../../src/auth/access.decorators.js';
import { unavailable } from '../../src/problems/problem.js';
import { CreateMonitorDto } from '../../src/monitors/dto/create-monitor.dto.js';
import { Flag, Text } from '../../src/validation/fields.js';

/*
 * A module as somebody writes it who knows NestJS, and of this project only `@Public()`. Nothing of it is written for
 * this project's ways: what works here works from habit.
 */

@Entity('notes')
export class Note {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  title!: string;

  @Column('int', { default: 1 })
  stars!: number;
}

export const CREATE_NOTES = `
  CREATE TABLE notes (id uuid PRIMARY KEY, title text NOT NULL, stars int NOT NULL DEFAULT 1 CHECK (stars < 9))`;

class LineDto {
  @IsString()
  @MaxLength(3)
  text!: string;
}

export class CreateNoteDto {
  @ApiProperty()
  @IsUUID()
  id!: string;

  @ApiProperty({ maxLength: 3 })
  @IsString()
  @MinLength(2)
  @MaxLength(3)
  title!: string;

  @ApiProperty({ required: false })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(9)
  stars?: number;
}

/** A field for each kind of validator. */
class KindsDto {
  @IsOptional()
  @IsEmail()
  email?: string;

  @IsOptional()
  @Matches(/^a.*$/)
  matched?: string;

  @IsOptional()
  @IsIn(['a', 'b'])
  choice?: string;

  @IsOptional()
  @IsBoolean()
  flag?: boolean;

  @IsOptional()
  @Length(2, 3)
  word?: string;

  @IsOptional()
  @IsNotEmpty()
  filled?: string;

  @IsOptional()
  @Type(() => Date)
  @IsDate()
  at?: Date;

  @IsOptional()
  @IsString({ each: true })
  @ArrayMaxSize(2)
  @ArrayUnique()
  tags?: string[];

  @IsOptional()
  @IsObject()
  meta?: object;

  @IsOptional()
  @ValidateNested()
  @Type(() => LineDto)
  line?: LineDto;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => LineDto)
  lines?: LineDto[];

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  amount?: number;

  @IsOptional()
  @Length(2, 3, { message: 'Use 2 or 3 letters' })
  letters?: string;

  @IsOptional()
  @Length(2, 3, { each: true })
  words?: string[];

  @IsOptional()
  @IsByteLength(2, 3)
  bytes?: string;

  @IsOptional()
  @IsString({ each: true })
  in?: string[];

  @IsOptional()
  @IsInt({ each: true })
  a?: number[];

  @IsOptional()
  @MaxLength(3, { message: 'must be short', context: { code: 'reserved' } })
  coded?: string;

  @IsOptional()
  @MaxLength(3, { context: { code: 'E42' } })
  foreign?: string;

  @Text({ optional: true, min: 1, max: 10, description: 'Ours, and one of class-validator.' })
  @MaxLength(3)
  @NotContains('x')
  both?: string;
}

class PickedDto extends PartialType(PickType(CreateMonitorDto, ['name', 'description'])) {}

class OwnDto {
  @Flag({ description: 'Whether it is pinned.' })
  pinned!: boolean;
}

class MappedDto extends IntersectionType(OmitType(CreateMonitorDto, ['project_id']), OwnDto) {}

class PartialNoteDto extends PartialType(CreateNoteDto) {}

class ListNotesQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Max(5)
  top?: number;
}

const EXCEPTIONS: Record<string, () => Error> = {
  BadRequest: () => new BadRequestException('The moon is wrong'),
  Unauthorized: () => new UnauthorizedException('Who?'),
  Forbidden: () => new ForbiddenException('Not you'),
  NotFound: () => new NotFoundException('No such note'),
  NotFoundAlone: () => new NotFoundException(),
  Conflict: () => new ConflictException('Taken'),
  Unprocessable: () => new UnprocessableEntityException('Odd'),
  Gone: () => new GoneException('Gone for good'),
  Teapot: () => new ImATeapotException('Short and stout'),
  PlainHttp: () => new HttpException('Pay first', 402),
  Odd: () => new HttpException('Very odd', 499),
  PreconditionFailed: () => new HttpException('Changed', 412),
  TooMany: () => new HttpException('Slowly', 429),
  Internal: () => new InternalServerErrorException('password=hunter2'),
  BadGateway: () => new BadGatewayException('password=hunter2'),
  Unavailable: () => new ServiceUnavailableException('password=hunter2'),
  OfError: () => new BadRequestException(new Error('password=hunter2')),
  OfErrorPlain: () => new HttpException(new Error('password=hunter2'), 409),
  OfErrorUncoded: () => new HttpException(new Error('password=hunter2'), 410),
  Caused: () => new ConflictException('Taken', { cause: httpError(418, 'password=hunter2', true) }),
  Long: () => new BadRequestException(`${'a'.repeat(499)}\u{1F680}`),
  Mixed: () => new BadRequestException(['First', { a: 1 }, Object.create(null), 'Second']),
  NoText: () => new BadRequestException([{ a: 1 }, Object.create(null)]),
  HttpError: () => httpError(418, 'Short and stout', true),
  HttpErrorHidden: () => httpError(404, 'password=hunter2', false),
  Deliberate: () => unavailable(),
  UnavailableCaused: () => {
    const cause = new Error(`no answer to sp_${'0'.repeat(46)}`, { cause: 'away' });
    return new ServiceUnavailableException('Later', { cause });
  },
  Released: () => new QueryRunnerAlreadyReleasedError(),
  ProviderReleased: () => new QueryRunnerProviderAlreadyReleasedError(),
  QueryWithoutCode: () => new QueryFailedError('SELECT', [], new Error('password=hunter2')),
  QueryWithNumber: () =>
    new QueryFailedError('SELECT', [], Object.assign(new Error('secret'), { code: 12345 })),
  NullColumn: () =>
    new QueryFailedError('', [], Object.assign(new Error('secret'), { code: '23502', column: 'title' })),
  HttpErrorLowest: () => httpError(400, 'Odd', true),
  HttpErrorBelow: () => httpError(399, 'password=hunter2', true),
  HttpErrorRedirect: () => httpError(302, 'password=hunter2', true),
  HttpErrorUnknown: () => httpError(799, 'password=hunter2', true),
  HttpErrorText: () => Object.assign(httpError(404, 'password=hunter2', true), { statusCode: '404' }),
  // The answer of another service, as its client throws it.
  Upstream: () => Object.assign(new Error('password=hunter2'), { statusCode: 404 }),
};

/** An error as the package http-errors makes them, which libraries for Express throw. */
function httpError(status: number, message: string, expose: boolean): Error {
  return Object.assign(new Error(message), { status, statusCode: status, expose });
}

enum Color {
  Red = 'red',
  Blue = 'blue',
}

@Injectable()
class DataInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

@Injectable()
class DoorGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<Request>().headers['x-door'] !== 'shut';
  }
}

@Injectable()
class ShoutPipe implements PipeTransform<string, string> {
  transform(value: string, _metadata: ArgumentMetadata): string {
    return value.toUpperCase();
  }
}

@Injectable()
class NotesService {
  constructor(@InjectRepository(Note) private readonly notes: Repository<Note>) {}

  async create(note: CreateNoteDto): Promise<Note> {
    return this.notes.save(this.notes.create(note));
  }

  async find(id: string): Promise<Note> {
    const note = await this.notes.findOneBy({ id });
    if (!note) throw new NotFoundException('No such note');
    return note;
  }
}

@Controller('v1/notes')
@UseInterceptors(DataInterceptor)
@UseGuards(DoorGuard)
class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Post()
  @Public()
  async create(@Body() note: CreateNoteDto): Promise<Note> {
    return this.notes.create(note);
  }

  @Get('one/:id')
  @Public()
  async find(@Param('id', ParseUUIDPipe) id: string): Promise<Note> {
    return this.notes.find(id);
  }

  @Post('kinds')
  @Public()
  kinds(@Body() kinds: KindsDto): object {
    return kinds;
  }

  @Post('picked')
  @Public()
  picked(@Body() body: PickedDto): object {
    return { ...body };
  }

  @Post('mapped')
  @Public()
  mapped(@Body() body: MappedDto): object {
    return { ...body };
  }

  @Patch('partial')
  @Public()
  partial(@Body() body: PartialNoteDto): object {
    return { ...body };
  }

  @Post('piped')
  @Public()
  piped(@Body(new ValidationPipe({ transform: true })) body: CreateNoteDto): object {
    return { ...body };
  }

  @Get('throw/:name')
  @Public()
  throw(@Param('name') name: string): never {
    throw EXCEPTIONS[name]?.() ?? new Error('secret of the program');
  }

  @Get('pipes/int')
  @Public()
  int(@Query('value', ParseIntPipe) value: number): unknown {
    return value;
  }

  @Get('pipes/enum')
  @Public()
  enum(@Query('value', new ParseEnumPipe(Color)) value: Color): unknown {
    return value;
  }

  @Get('pipes/bool')
  @Public()
  bool(@Query('value', new DefaultValuePipe(true), ParseBoolPipe) value: boolean): unknown {
    return value;
  }

  @Get('pipes/own')
  @Public()
  own(@Query('value', ShoutPipe) value: string): unknown {
    return value;
  }

  @Get('named')
  @Public()
  named(@Query('verbose') verbose: string, @Query() { top }: ListNotesQuery): unknown {
    return { verbose, top };
  }

  @Get('query')
  @Public()
  query(@Query('verbose') verbose: string): unknown {
    return { verbose };
  }

  @Get('headers')
  @Public()
  headers(@Headers() all: Record<string, string>, @Headers('x-color') color: string): unknown {
    return { all: all['x-color'], color };
  }

  @Get('params/:id/:other')
  @Public()
  params(@Param('id') id: string, @Param() all: { other: string }): unknown {
    return { id, other: all.other };
  }

  @Get('file')
  @Public()
  file(@Res() response: Response): void {
    response.sendFile('/nowhere/file.txt');
  }

  @Get('express')
  @Public()
  express(@Req() request: Request, @Res({ passthrough: true }) response: Response): unknown {
    response.status(202);
    return request.method;
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Note])],
  controllers: [NotesController],
  providers: [NotesService],
})
class NotesModule {}

/** The application with the module. */
@Module({ imports: [AppModule, NotesModule] })
export class AppWithNotesModule {}
