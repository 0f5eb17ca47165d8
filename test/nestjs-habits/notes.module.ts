import {
  type ArgumentMetadata,
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  DefaultValuePipe,
  type ExecutionContext,
  Get,
  Headers,
  Injectable,
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
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Column, Entity, PrimaryColumn, Repository } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { Public } from '../../src/platform/auth/access.decorators.js';
import {
  CreateNoteDto,
  KindsDto,
  ListNotesQuery,
  MappedDto,
  PartialNoteDto,
  PickedDto,
} from './notes.dto.js';
import { EXCEPTIONS } from './notes.exceptions.js';

/*
 * A module by a developer who knows NestJS, but only `@Public()` of this project. It uses none of this project's
 * conventions.
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
