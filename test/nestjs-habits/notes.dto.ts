import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
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
import { CreateMonitorDto } from '../../src/monitors/dto/create-monitor.dto.js';
import { Flag, Text } from '../../src/platform/validation/fields.js';

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
export class KindsDto {
  @IsOptional()
  @Transform(({ value }: { value: string }) => value.trim())
  @MaxLength(3)
  trimmed?: string;

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

export class PickedDto extends PartialType(PickType(CreateMonitorDto, ['name', 'description'])) {}

class OwnDto {
  @Flag({ description: 'Whether it is pinned.' })
  pinned!: boolean;
}

export class MappedDto extends IntersectionType(OmitType(CreateMonitorDto, ['project_id']), OwnDto) {}

export class PartialNoteDto extends PartialType(CreateNoteDto) {}

export class ListNotesQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Max(5)
  top?: number;
}
