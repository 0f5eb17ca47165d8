import { Body, Controller, Post } from '@nestjs/common';
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { Allow, IsArray, IsDefined, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { declaredBy } from '../../src/platform/validation/declared-input.js';
import { ListOf, Text } from '../../src/platform/validation/fields.js';

class DocumentedDto {
  @Text({ min: 1, max: 9, description: 'Text.' })
  text!: string;

  @ApiProperty()
  tone!: string;
}
class InheritedDto extends DocumentedDto {}
class PartialDto extends PartialType(DocumentedDto) {}
class PickedDto extends PickType(DocumentedDto, ['tone']) {}
class OmittedDto extends OmitType(DocumentedDto, ['text']) {}
class IntersectedDto extends IntersectionType(PickType(DocumentedDto, ['text']), PickedDto) {}
class PartialOfAllDto extends PartialType(IntersectedDto) {}
class OptionalDto {
  @IsOptional()
  tone?: string;
}
class ConditionalDto {
  @ValidateIf(() => true)
  tone?: string;
}
class DefinedDto {
  @IsDefined()
  tone!: string;
}
class NestedDto {
  @ValidateNested()
  @Type(() => DocumentedDto)
  inner!: DocumentedDto;
}
class ListedDto {
  @ListOf(PartialDto, { max: 9, description: 'List.' })
  inner!: PartialDto[];
}

class ValidatedDto extends PickType(DocumentedDto, ['text']) {
  @ApiProperty()
  @IsString()
  @IsOptional()
  tone?: string;

  @Allow()
  any: unknown;

  @IsArray()
  list!: unknown[];
}

@Controller()
class Handlers {
  @Post() documented(@Body() body: DocumentedDto) {
    return body;
  }
  @Post() inherited(@Body() body: InheritedDto) {
    return body;
  }
  @Post() partial(@Body() body: PartialDto) {
    return body;
  }
  @Post() picked(@Body() body: PickedDto) {
    return body;
  }
  @Post() omitted(@Body() body: OmittedDto) {
    return body;
  }
  @Post() intersected(@Body() body: IntersectedDto) {
    return body;
  }
  @Post() partialOfAll(@Body() body: PartialOfAllDto) {
    return body;
  }
  @Post() optional(@Body() body: OptionalDto) {
    return body;
  }
  @Post() conditional(@Body() body: ConditionalDto) {
    return body;
  }
  @Post() defined(@Body() body: DefinedDto) {
    return body;
  }
  @Post() nested(@Body() body: NestedDto) {
    return body;
  }
  @Post() listed(@Body() body: ListedDto) {
    return body;
  }
  @Post() validated(@Body() body: ValidatedDto) {
    return body;
  }
}

describe('handler with an unvalidated field in its DTO', () => {
  it.each([
    ['documented', 'DocumentedDto.tone'],
    ['inherited', 'InheritedDto.tone'],
    ['partial', 'PartialDto.tone'],
    ['picked', 'PickedDto.tone'],
    ['omitted', 'OmittedDto.tone'],
    ['intersected', 'IntersectedDto.tone'],
    ['partialOfAll', 'PartialOfAllDto.tone'],
    ['optional', 'OptionalDto.tone'],
    ['conditional', 'ConditionalDto.tone'],
    ['defined', 'DefinedDto.tone'],
    ['nested', 'DocumentedDto.tone'],
    ['listed', 'PartialDto.tone'],
  ] as const)('prevents the startup with the class and the field: %s', (name, field) => {
    expect(() => declaredBy(Handlers, Handlers.prototype[name])).toThrow(
      `Handlers.${name}: ${field}: add a validator`,
    );
  });

  it('becomes valid with a validator for each field, such as @Allow()', () => {
    expect(declaredBy(Handlers, Handlers.prototype.validated).body).toBe(ValidatedDto);
  });
});
