import { memoryStore } from '../../src/runtime/store.ts'
import { storeContract } from './contract.ts'

storeContract('the store in memory', memoryStore)
