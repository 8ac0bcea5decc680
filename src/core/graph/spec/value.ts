import { z } from 'zod'

export const value = z.json().meta({ id: 'value', description: 'Any JSON value.' })
