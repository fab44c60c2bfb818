import PaviseStorage
import Testing
