/** Floor: Nest as it comes, no database: a hello, and a POST whose body the global ValidationPipe checks. */
import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { recordAnswer } from './record-body.mjs';

class RecordBody {}

class FloorController {
  hello() {
    return { hello: 'world' };
  }

  create(body) {
    return recordAnswer(body);
  }
}

class FloorModule {}

const text = (length) => [IsString(), IsNotEmpty(), MaxLength(length)];
const number = (least, most) => [IsOptional(), IsInt(), Min(least), Max(most)];

decorateFields(RecordBody, {
  name: text(255),
  type: text(16),
  data: text(65_535),
  priority: number(0, 65_535),
  ttl: number(1, 2_147_483_647),
  description: [IsOptional(), IsString(), MaxLength(160)],
});
decorateMethod(FloorController, 'hello', [Get()]);
decorateMethod(FloorController, 'create', [
  Post(),
  HttpCode(200),
  (prototype, name) => Body()(prototype, name, 0),
  Reflect.metadata('design:paramtypes', [RecordBody]),
]);
Reflect.decorate([Controller()], FloorController);
Reflect.decorate([Module({ controllers: [FloorController] })], FloorModule);

const app = await NestFactory.create(FloorModule, { logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(process.argv[2]), '127.0.0.1');

/** Plain JavaScript has no decorator syntax; these apply them in the order in which TypeScript would. */
function decorateFields({ prototype }, decorators) {
  for (const [field, list] of Object.entries(decorators)) Reflect.decorate(list, prototype, field);
}

function decorateMethod({ prototype }, name, decorators) {
  Reflect.decorate(decorators, prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
}
