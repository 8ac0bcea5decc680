import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { storeContract } from './contract.ts'

storeContract('the store in memory', memoryStore)
